"""The game contract, its compliance test, and the games that ship."""
