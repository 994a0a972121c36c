import pytest

from tests.api.conftest import vector_space
from tests.encoding.chat_server import serving

__all__ = ["vector_space"]


@pytest.fixture
def language_model(settings):
    """Configure a language model that a local server plays; returns how to start it."""

    def start(script):
        context = serving(script)
        server = context.__enter__()
        started.append(context)
        settings.LLM_URL, settings.LLM_MODEL = server.url, "small"
        settings.LLM_TIMEOUT = 60.0
        return server

    started = []
    yield start
    for context in started:
        context.__exit__(None, None, None)
