"""The version stored with every verdict."""

# Raise it with every change of rules, views, tables, thresholds or weights: a stored
# verdict of another version is computed again at the next read and by the rescan.
RULES_VERSION = "2026.11.8"

# The digest of the manifest beside the shipped weights; `screening train` prints it.
SHIPPED_WEIGHTS = "aa602530c72a48c710f7966b16f93ad67b8841b0ad918d8faa67c58c0c275611"
