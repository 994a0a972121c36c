"""The audit log: `record()` is the only way into it, for a memory `record_of()`."""

from memory_core.auditing.record import record, record_of

__all__ = ["record", "record_of"]
