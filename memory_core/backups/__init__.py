"""Backups of the database, their ageing, and the way back that forgets nobody twice.

A backup brings back whoever was erased after it was made. So a restore closes the
service, repeats all erasures of the ledger, and opens it only when they are verified.
"""

from memory_core.backups.catalogue import (
    Backup,
    Drill,
    last_drill,
    newest_backup_holding,
    standing,
)
from memory_core.backups.errors import BackupError

__all__ = [
    "Backup",
    "BackupError",
    "Drill",
    "last_drill",
    "newest_backup_holding",
    "standing",
]
