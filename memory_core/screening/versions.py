"""The version stored with every verdict."""

# Raise it with every change of rules, views, tables, thresholds or weights: a stored
# verdict of another version is computed again at the next read and by the rescan.
RULES_VERSION = "2026.11.7"

# The digest of the manifest beside the shipped weights; `screening train` prints it.
SHIPPED_WEIGHTS = "e890f814d62aa5e8e783fb6864480e5d24d6f23ffad944e733338a205793f0e0"
