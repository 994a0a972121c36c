"""The back ends: a JSONL file, a SQLite database, a Mneme service."""
