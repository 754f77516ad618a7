"""A MkDocs hook: every notebook below docs/ becomes a page of the same name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

import notebook


def on_files(files: Files, config: Any) -> Files:
    """MkDocs calls this with the files it found; the notebooks themselves are kept beside the pages."""
    for file in list(files):
        if file.src_uri.endswith(".ipynb") and file.abs_src_path:
            text = notebook.markdown(
                notebook.read(Path(file.abs_src_path)), file.src_uri.rpartition("/")[2]
            )
            page = file.src_uri.removesuffix(".ipynb") + ".md"
            files.append(File.generated(config, page, content=text))
    return files
