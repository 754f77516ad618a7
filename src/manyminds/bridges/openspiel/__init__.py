"""OpenSpiel's games as ours, and our players as its bots."""
