"""The documentation's notebooks: each cell gives what stands below it."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

import notebook

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
FILES = sorted(FOLDER.glob("*.ipynb"))

RUN = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import notebook
print(json.dumps(notebook.run(notebook.read(Path(sys.argv[2])))))
"""


def test_there_is_one_for_each_paper():
    assert [file.stem for file in FILES] == ["cazenave2008", "filip2013", "marcolino2011"]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_cell_gives_what_is_kept(file, tmp_path):
    """In a process of its own, as Jupyter would run it."""
    tools = FOLDER.parents[1] / "tools"
    done = subprocess.run(
        [sys.executable, "-c", RUN, tools, file],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=290,
    )
    assert done.returncode == 0, done.stderr

    assert json.loads(done.stdout) == notebook.kept(notebook.read(file))


def cell(kind, text, outputs=()):
    return {"cell_type": kind, "source": [text], "outputs": list(outputs)}


def test_running_keeps_what_is_printed_and_the_last_value():
    book = {"cells": [cell("markdown", "# A"), cell("code", "x = 3\nprint('three')\nx + 1"),
                      cell("code", "x += 1"), cell("code", "x")]}  # fmt: skip
    outputs = notebook.run(book)
    assert outputs == ["three\n4\n", "", "4\n"]
    kept = copy.deepcopy(book)
    notebook.keep(kept, outputs)
    assert notebook.kept(kept) == outputs
    assert [each.get("execution_count") for each in kept["cells"]] == [None, 1, 2, 3]
    page = notebook.markdown(kept, "a.ipynb")
    assert page.startswith("# A\n\nThis page is a notebook: [a.ipynb](a.ipynb)")
    assert "```text\nthree\n4\n```" in page


def test_a_cell_that_fails_says_where():
    with pytest.raises(ZeroDivisionError):
        notebook.run({"cells": [cell("code", "1 / 0")]})
