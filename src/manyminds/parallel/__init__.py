"""One decision by many threads or processes: leaf, root, shared tree, passed results."""
