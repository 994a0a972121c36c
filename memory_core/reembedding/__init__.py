"""Another embedding model: its space is filled beside the old one, then takes over.

Recalls answer from one space at a time. The old one is kept to go back to.
"""
