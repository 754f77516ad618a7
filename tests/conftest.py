"""What all tests share: leaving out tests whose outside program is not here, and saying so."""

import os
import shutil

import pytest
from hypothesis import settings

# marker: (name, commands, how to get it)
PROGRAMS = {
    "gnugo": ("GNU Go", ("gnugo",), "apt-get install gnugo"),
    "chromium": ("Chromium", ("chromium", "chromium-browser"), "apt-get install chromium"),
}

# Debian keeps games in a folder that root's PATH lacks.
os.environ["PATH"] += os.pathsep + "/usr/games"

# A first call may compile for seconds. CI draws the same examples on every run; at home they vary.
settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")

left_out = pytest.StashKey[dict[str, int]]()


@pytest.hookimpl(trylast=True)  # after -m: what was not asked for is not left out
def pytest_collection_modifyitems(config, items):
    absent = {
        marker
        for marker, (_, commands, _) in PROGRAMS.items()
        if not any(shutil.which(command) for command in commands)
    }
    counts = config.stash.setdefault(left_out, {})
    kept, deselected = [], []
    for item in items:
        wanting = sorted(absent & {mark.name for mark in item.iter_markers()})
        for marker in wanting:
            counts[marker] = counts.get(marker, 0) + 1
        (deselected if wanting else kept).append(item)
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = kept


def pytest_terminal_summary(terminalreporter, config):
    for marker, count in config.stash.get(left_out, {}).items():
        name, _, how = PROGRAMS[marker]
        tests = "1 test needs" if count == 1 else f"{count} tests need"
        terminalreporter.write_line(
            f"LEFT OUT: {tests} {name}, which is not here. To get it: {how} (as root)", yellow=True
        )
