"""The right to be forgotten: found, fenced, erased pass by pass, verified, purged."""
