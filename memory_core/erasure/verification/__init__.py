"""The proof that nothing is left: other code than the erasers', another database role.

Nothing here knows of the stores: tables and columns come from the models themselves,
keys and files from what lies there.
"""

from memory_core.erasure.verification.probes import PROBES, verify

__all__ = ["PROBES", "verify"]
