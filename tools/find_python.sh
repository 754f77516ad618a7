#!/bin/sh
# Print a Python that can make the virtual environment, or say on standard error how to get one.
# Candidates are run, not only looked for: version managers leave commands behind that only fail.
# PYTHON=... names one to take instead.

usable='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'
without_pip=

for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    "$python" -c "$usable" >/dev/null 2>&1 || continue
    if "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        command -v "$python"
        exit 0
    fi
    : "${without_pip:=$python}"
done

if [ -n "$without_pip" ]; then
    version=$("$without_pip" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    cat >&2 <<TEXT
$without_pip is Python $version, but it cannot make virtual environments (it has no ensurepip).
On Debian and Ubuntu:  apt-get install python$version-venv   (as root), then run make again.
TEXT
else
    cat >&2 <<TEXT
manyminds needs Python 3.11, 3.12, 3.13 or 3.14, and none of ${PYTHON:-python3, python3.14 ... python3.11} is one.
On Debian 12, Ubuntu 24.04 and later:  apt-get install python3 python3-venv   (as root)
Elsewhere: from your package manager or python.org. One in another place:  make PYTHON=/its/path ...
TEXT
fi
exit 1
