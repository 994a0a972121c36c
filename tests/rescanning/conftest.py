from tests.saving.conftest import _fresh_lookups, say, scope_of, space, tool, voice

__all__ = ["_fresh_lookups", "say", "scope_of", "space", "tool", "voice"]
