"""Words that must not stand in a tracked file are found; their neighbours are not."""

import subprocess

import pytest

# Put together here, so that this file does not hold what it looks for.
SLASH, AT_ROOT, HOST = "/", "ro" + "ot", "py" + "pi.org"


@pytest.fixture
def repository(tree):
    def make(text, tracked=True):
        folder = tree({"notes.md": text})
        git = ["git", "-C", folder]
        subprocess.run([*git, "init", "-q"], check=True, timeout=60)
        if tracked:
            subprocess.run([*git, "add", "notes.md"], check=True, timeout=60)
        return folder

    return make


@pytest.mark.parametrize(
    "text",
    [
        f"see {SLASH}{AT_ROOT}{SLASH}notes",
        f"cd {SLASH}wor" + "k",
        f'"{SLASH}hom' + "e/me/x.py",
        "x = 1  # TO" + "DO later",
        "FIX" + "ME",
        "y = 2  # XX" + "X",
        f"https:{SLASH}{SLASH}{HOST}/simple",
    ],
)
def test_finds_it_and_names_the_line(text, repository, check):
    status, said = check("words", repository(f"A line.\n{text}\n"))
    assert status == 1
    assert "notes.md:2: " in said


@pytest.mark.parametrize(
    "text",
    [
        "leaf/root parallel, homework, the network/work ratio, ~/home is yours",
        "a board: XXX / OOX",
        "https://example.org/home/of/it",
        "method, todos, PyPI",
    ],
)
def test_leaves_ordinary_text_alone(text, repository, check):
    status, said = check("words", repository(f"{text}\n"))
    assert status == 0, said


def test_looks_at_tracked_files_only(repository, check):
    status, _ = check("words", repository("FIX" + "ME\n", tracked=False))
    assert status == 0
