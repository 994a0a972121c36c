"""Rows for tests, made through the same actions as in real life where one exists."""

from tests.factories.world import make_caller, make_token

__all__ = ["make_caller", "make_token"]
