"""What people start: the command line, GTP, the web board."""
