"""`python -m manyminds` is the command `manyminds`."""

from manyminds.apps.main import main

main()
