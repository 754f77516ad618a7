"""What `manyminds new` writes: files as users have them, which see the facade alone."""
