"""What one memory may hold: of a request, of a line of an export, of what adds up."""

MOST_TAGS = 50
MOST_ENTITIES = 100
MOST_RELATED = 50
LARGEST_METADATA = 16 * 1024
"""Bytes as JSON."""
