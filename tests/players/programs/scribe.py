"""A program that agrees to everything, passes always, and writes down what it was told: `scribe.py FILE`."""

import sys

with open(sys.argv[1], "w") as file:
    for line in sys.stdin:
        file.write(line)
        file.flush()
        print("= pass\n" if line.startswith("genmove") else "=\n", flush=True)
        if line.strip() == "quit":
            break
