"""The cold copy: every memory once more, outside the database, a file an owner.

A trigger notes each write in an outbox, in the write's own transaction; `draining`
carries it to the files, `replaying` makes a database of them.
"""
