"""Memories in files: the portable format, export, import, daily snapshots.

`docs/portable-format.md` is the agreement; nothing here knows HTTP or commands.
"""
