import pytest

from memory_core.saving import vectors


@pytest.fixture
def vector_space(db):
    """The configured embedder's space, set up as on a first start."""
    vectors.ensure_model()
    yield
    vectors.forget()
