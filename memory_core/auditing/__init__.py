"""The audit log: `record()` is the only way into it."""

from memory_core.auditing.record import record

__all__ = ["record"]
