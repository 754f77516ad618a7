"""Notebooks of the documentation, run without Jupyter: what a cell prints, and its last value.

The output that is kept in a notebook is what running it gives; the tests compare the two.
Usage: notebook.py FILE.ipynb ...      (runs each anew and keeps what comes out)
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any


def run(notebook: dict[str, Any], name: str = "notebook") -> list[str]:
    """The output of every code cell, from top to bottom in one namespace."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [
        run_cell("".join(cell["source"]), names, f"{name}[{number}]")
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code"
    ]


def run_cell(source: str, names: dict[str, Any], where: str) -> str:
    """What a cell prints, with the value of its last line where that is an expression."""
    tree = ast.parse(source, where)
    ending = tree.body[-1] if tree.body else None
    last = ending if isinstance(ending, ast.Expr) else None
    if last is not None:
        tree.body.pop()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def kept(notebook: dict[str, Any]) -> list[str]:
    """The output that stands in the notebook."""
    return [
        "".join(part for output in cell["outputs"] for part in output["text"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def keep(notebook: dict[str, Any], outputs: list[str]) -> None:
    """Put the output into the notebook."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, text) in enumerate(zip(cells, outputs, strict=True), 1):
        lines = text.splitlines(keepends=True)
        stream = {"name": "stdout", "output_type": "stream", "text": lines}
        cell["outputs"], cell["execution_count"] = [stream] if lines else [], number


def markdown(notebook: dict[str, Any], file: str) -> str:
    """The notebook as a page: code, and what came of it below."""
    parts = []
    outputs = iter(kept(notebook))
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        if output := next(outputs):
            parts.append(f"```text\n{output.rstrip()}\n```")
    parts.insert(1, f"This page is a notebook: [{file}]({file}) opens in Jupyter.")
    return "\n\n".join(parts) + "\n"


def read(file: Path) -> dict[str, Any]:
    """The notebook of a file."""
    notebook: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return notebook


def main(files: list[str]) -> None:
    """Run each in a folder of its own, and keep what comes out."""
    for file in map(Path, files):
        path, notebook = file.resolve(), read(file)
        with tempfile.TemporaryDirectory() as folder:
            before = Path.cwd()
            os.chdir(folder)
            try:
                keep(notebook, run(notebook, file.name))
            finally:
                os.chdir(before)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
