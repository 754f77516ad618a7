"""The three papers as campaigns: their printed tables as data, ours beside them."""
