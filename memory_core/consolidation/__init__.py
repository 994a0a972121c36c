"""Tidying up as time passes: fade, expire, merge, repair, purge.

`run.advance` is the engine of a job; each of its stages first looks, which explains
everything, and then acts, which a dry run leaves out.
"""
