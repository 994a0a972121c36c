"""A server of the Model Context Protocol over any back end."""
