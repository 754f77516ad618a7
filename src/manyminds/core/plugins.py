"""What other packages register here: a package names a module of its own, which is imported when needed.

    [project.entry-points."manyminds"]       in its pyproject.toml
    mine = "my_package.manyminds_games"      the module calls register_game, register, ...

Looked for when a name is not known, or when all names are wanted; rooms that come after a registry
register so, too.
"""

from __future__ import annotations

import functools
from importlib import metadata

from manyminds.core.errors import Failure

GROUP = "manyminds"


@functools.cache
def load_plugins() -> None:
    """Import what installed packages name, once a process."""
    for point in metadata.entry_points(group=GROUP):
        try:
            point.load()
        except (ImportError, AttributeError) as error:
            package = point.dist.name if point.dist else "a package"
            raise Failure(
                f'{package} says that manyminds should load "{point.value}", which fails ({error}); '
                f"mend it, or uninstall {package}"
            ) from error
