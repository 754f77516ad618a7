"""A person's own Python file, loaded as a module; what is wrong with it is said with its line."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import CodeType, ModuleType

from manyminds.core.errors import UsageError

MOST_BYTES = 1_000_000


def load_user_file(path: Path) -> ModuleType:
    """The module of this file; modules beside it can be imported, as when it is run.

    Raises UsageError for a file that is none, does not parse, or raises while it is loaded. A
    UsageError raised by the file itself keeps its type and gets the line.
    """
    code = _compile(path)
    module = ModuleType(f"manyminds_user_{path.stem}")
    module.__file__ = str(path.resolve())
    module.__spec__ = importlib.util.spec_from_file_location(module.__name__, path.resolve())
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.modules[module.__name__] = module
    try:
        exec(code, vars(module))
    except UsageError as error:
        error.args = (f"{path.name}{_line(error, path)}: {error}",)
        raise
    except SystemExit as error:
        raise UsageError(
            f"{path.name}{_line(error, path)} ends the program while it is loaded; put that under "
            'if __name__ == "__main__":'
        ) from None
    except Exception as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UsageError(f"{path.name}{_line(error, path)}: {what}") from error
    return module


def _compile(path: Path) -> CodeType:
    if path.suffix != ".py":
        raise UsageError(f"{path} is no Python file (*.py)")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path} is longer than {MOST_BYTES} bytes")
    try:
        return compile(data, str(path.resolve()), "exec")
    except SyntaxError as error:
        text = f": {error.text.strip()}" if error.text and error.text.strip() else ""
        raise UsageError(f"{path.name}, line {error.lineno}: {error.msg}{text}") from None
    except ValueError as error:  # null bytes
        raise UsageError(f"{path} is no Python text: {error}") from None


def _line(error: BaseException, path: Path) -> str:
    """The last of the file's own lines that led to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path.resolve())]
    return f", line {lines[-1]}" if lines else ""
