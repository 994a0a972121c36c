"""What stops a backup or a restore, as one sentence for the person who asked."""


class BackupError(Exception):
    """It cannot be done; the message is the whole explanation."""
