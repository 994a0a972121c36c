"""The score with which a memory starts."""

START = {"user_input": 0.6, "inference": 0.4, "tool_result": 0.3, "import": 0.3}
NEUTRAL_IMPORTANCE = 0.5
IMPORTANCE_WEIGHT = 0.4
LOWEST_START = 0.2


def base_at_birth(source_kind: str, importance: float | None = None) -> float:
    """Return the base score in [0.2, 1]: by source, moved by importance in [0, 1].

    base = start(source) + 0.4 * (importance - 0.5), at least 0.2.
    """
    importance = NEUTRAL_IMPORTANCE if importance is None else importance
    base = START[source_kind] + IMPORTANCE_WEIGHT * (importance - NEUTRAL_IMPORTANCE)
    return min(1.0, max(LOWEST_START, base))
