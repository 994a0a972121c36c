from tests.api.conftest import vector_space
from tests.encoding.conftest import language_model

__all__ = ["language_model", "vector_space"]
