"""The test of the documentation can fail: each way in which a page may be wrong is seen."""

import subprocess
import sys
from pathlib import Path

import pytest
from links import broken_links

RUNNER = Path(__file__).with_name("run_page.py")


@pytest.fixture
def page(tmp_path):
    """Run a page: page(text) gives (exit status, all that was said)."""

    def run(text):
        file = tmp_path / "a-page.md"
        file.write_text(text)
        folder = tmp_path / "there"
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, RUNNER, file, folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stdout

    return run


def test_blocks_share_a_namespace(page):
    assert page("```python\nx = 4\n```\ntext\n```python\nassert x == 4\n```\n") == (0, "")


def test_an_error_names_the_line_and_shows_it(page):
    status, said = page("# Title\n\n```python\nx = 4\nassert x == 5\n```\n")
    assert status == 1
    assert "a_page_page.py" in said
    assert "line 5" in said
    assert "assert x == 5" in said


def test_a_block_inside_a_list_is_run(page):
    status, said = page(
        "- item\n\n    ```python\n    for x in range(2):\n        print(x)\n    ```\n"
    )
    assert (status, said) == (0, "0\n1\n")


def test_a_block_of_another_language_is_not_run(page):
    assert page("```text\nno python\n```\n```toml\nx = 1\n```\n") == (0, "")


def test_a_console_runs_our_commands_and_no_others(page):
    status, said = page("```console\n$ false\n$ manyminds --version\nwhatever\n$ rm -rf x\n```\n")
    assert (status, said) == (0, "")


def test_a_command_that_fails_fails_the_page(page):
    status, said = page("```console\n$ manyminds --nonsense\n```\n")
    assert status == 1
    assert "a-page.md:2: $ manyminds --nonsense" in said
    assert "ends with 2, not 0" in said


def test_a_page_may_show_a_mistake(page):
    assert page("<!-- exit 2 -->\n```console\n$ manyminds --nonsense\n```\n") == (0, "")


def test_marked_output_is_compared(page):
    status, said = page("<!-- compare -->\n```console\n$ manyminds --version\nmanyminds 9\n```\n")
    assert status == 1
    assert "and not\nmanyminds 9" in said


def test_dots_in_marked_output_stand_for_anything(page):
    text = "<!-- compare -->\n```console\n$ manyminds --version\nmany...\n```\n"
    assert page(text) == (0, "")


def test_marks_add_up(page):
    text = (
        "<!-- exit 2 -->\n<!-- compare -->\n```console\n"
        "$ manyminds --nonsense\nUsage: ...\nError: No such option...\n```\n"
    )
    assert page(text) == (0, "")


def test_a_titled_block_is_kept_for_those_below(page):
    text = (
        '```toml title="a.toml"\nx = 4\n```\n'
        "```python\nimport tomllib\nassert tomllib.load(open('a.toml', 'rb')) == {'x': 4}\n```\n"
    )
    assert page(text) == (0, "")


def test_source_of_a_function_can_be_read(page):
    """Compilers of kernels and people in a debugger ask for it."""
    text = (
        "text\n```python\ndef f():\n    return 4\n```\n"
        "```python\nimport inspect\nassert 'return 4' in inspect.getsource(f)\n```\n"
    )
    assert page(text) == (0, "")


def test_a_block_without_end_is_an_error(page):
    status, said = page("```python\nx = 1\n")
    assert status == 1
    assert "a-page.md:1: this block has no end" in said


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](there.md)", []),
        ("[a](there.md#a-heading-with-code)", []),
        ("[a](#here)\n\n# Here", []),
        ("[a](https://example.org/nowhere) ![b](there.md)", []),
        ("`[a](lost.md)` <!-- ![b](lost.svg) -->\n```text\n[c](lost.md)\n```", []),
        ("[a](lost.md)", ["lost.md"]),
        ("![a](lost.svg)", ["lost.svg"]),
        ("[a](there.md#lost)", ["there.md#lost"]),
        ("[a](#lost)", ["#lost"]),
        ("[a][b]\n\n[b]: lost.md", ["lost.md"]),
    ],
)
def test_links(text, broken, tmp_path):
    (tmp_path / "there.md").write_text("## A heading with `code`\n")
    (tmp_path / "page.md").write_text(text + "\n")
    assert broken_links(tmp_path / "page.md") == broken
