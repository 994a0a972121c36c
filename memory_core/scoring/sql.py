"""The formula of `scoring.decay` as PostgreSQL computes it.

Where Python rounds a number that is too small to 0, PostgreSQL raises; one memory of
long ago must not stop the whole batch that it is in.
"""

MOST_HALVINGS = 200
FAINTEST = 1e-30


def share(halvings: str) -> str:
    """Return the expression of what is left after so many halvings, in (0, 1]."""
    return f"power(0.5::float8, least({MOST_HALVINGS}, greatest(0, {halvings})))"


def faded(base: str, left: str) -> str:
    """Return the expression of a base of which the share `left` is left."""
    return f"(CASE WHEN {base} < {FAINTEST} THEN 0.0::float8 ELSE {base} * {left} END)"
