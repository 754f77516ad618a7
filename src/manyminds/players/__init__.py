"""Who sits on a seat: the papers' algorithms, voters, outside programs, people."""
