"""Keys outside the database: of tombstones, of a person's files, of signatures."""
