"""One tree search: select, expand, simulate, back up; and exact solvers for small games."""
