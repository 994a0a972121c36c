"""A small believable data set for a first look."""
