"""Run one page of documentation from top to bottom, as a reader would who types all of it.

Python blocks share one namespace and are run as `__main__`; consoles run the commands that are ours;
a block with a title is kept under that name, for the blocks below it. An error names the page's line.
Usage: run_page.py PAGE FOLDER   (FOLDER: where it runs and leaves its files)
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from page import Block, read_page

SECONDS = 120  # a documented command is done by then
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "TERM": "dumb",
}


def run_python(block: Block, file: Path, names: dict[str, Any]) -> None:
    """Run a block under its page's line numbers; `file` holds its text there for tracebacks."""
    code = compile("\n" * (block.line - 1) + block.text, str(file), "exec")
    exec(code, names)


def run_console(block: Block, page: Path) -> None:
    """Run our commands of a console and hold their status, and output if marked, to the page."""
    for command, printed in block.commands():
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )
        where = f"{page}:{block.line}: $ {command}"
        if done.returncode != block.status:
            sys.exit(f"{where}\nends with {done.returncode}, not {block.status}:\n{done.stdout}")
        if block.compare and not same(printed, done.stdout):
            sys.exit(f"{where}\nprints\n{done.stdout}\nand not\n{printed}")


def same(printed: str, output: str) -> bool:
    """Whether the output is as printed; "..." on the page stands for anything."""
    expected, seen = (
        "\n".join(line.rstrip() for line in text.rstrip().splitlines())
        for text in (printed, output)
    )
    return (
        re.fullmatch(".*?".join(map(re.escape, expected.split("..."))), seen, re.DOTALL) is not None
    )


def python_alone(blocks: list[Block]) -> str:
    """The page's Python with everything else blank, so that line numbers are the page's."""
    lines: list[str] = []
    for block in blocks:
        if block.language == "python":
            lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n"


def main(page: Path, folder: Path) -> None:
    """Run the page; leaves with a message and status 1 where it does not hold."""
    blocks = read_page(page)
    os.chdir(folder)
    sys.path.insert(0, str(folder))  # Python finds the files beside it, as at a reader's prompt
    file = folder / f"{page.stem.replace('-', '_')}_page.py"
    file.write_text(python_alone(blocks), encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(file)}
    for block in blocks:
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            run_python(block, file, names)
        elif block.language == "console":
            run_console(block, page)


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
