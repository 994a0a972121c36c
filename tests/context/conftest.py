from tests.api.conftest import vector_space

__all__ = ["vector_space"]
