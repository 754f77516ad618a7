"""What mates say to each other, one way of talking a file."""
