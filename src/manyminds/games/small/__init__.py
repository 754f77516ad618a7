"""Small games whose value is known, by theory or by exhaustive search; one file a game."""
