"""Training of the shipped weights; not needed to run the service."""
