import pytest

from tests.api.conftest import vector_space
from tests.compat.mem0.client import Mem0, new_client
from tests.encoding.conftest import language_model

__all__ = ["language_model", "vector_space"]


@pytest.fixture
def mem0(vector_space: None) -> Mem0:
    """A client of an agent of its own."""
    return new_client()
