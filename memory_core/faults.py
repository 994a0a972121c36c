"""What a log may say of an exception: its message may quote what somebody said."""

import traceback

FRAMES = 6


def type_and_places(error: BaseException) -> str:
    """Return the type and the innermost places, as `ValueError at read:12 < load:7`."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = " < ".join(f"{one.name}:{one.lineno}" for one in reversed(frames))
    return f"{type(error).__name__} at {places}"
