"""What stands in two places is the same in both."""

import re
import tomllib
from pathlib import Path

import manyminds

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_citation_and_the_changes_name_this_version():
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert cited[1] == newest[1] == manyminds.__version__


def test_numba_is_pinned_to_one_minor_version():
    (pin,) = [line for line in PROJECT["project"]["dependencies"] if line.startswith("numba")]
    assert re.fullmatch(r"numba==\d+\.\d+\.\*", pin)


def test_every_lint_exception_has_its_reason():
    text = (ROOT / "pyproject.toml").read_text()
    ignored = text[text.index("ignore = [") : text.index("[tool.mypy]")]
    rules = re.findall(r'^ +"[A-Z]+\d+",.*$', ignored, re.MULTILINE)
    assert len(rules) > 10
    assert [rule for rule in rules if "# " not in rule] == []


def test_every_make_target_that_is_no_file_is_declared_so():
    text = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split())
    assert targets == phony
