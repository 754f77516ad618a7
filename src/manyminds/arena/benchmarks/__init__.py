"""What `manyminds bench` measures: rows of work, each beside a rival's or below a limit."""
