"""`manyminds gtp`: our players as a GTP 2 engine, for boards on the screen, servers and tournaments."""
