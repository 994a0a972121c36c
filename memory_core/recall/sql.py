"""Values as the searches' SQL takes them."""

from collections.abc import Iterable
from uuid import UUID

import numpy as np
import orjson
from numpy.typing import NDArray


def vector_literal(vector: NDArray[np.float32]) -> str:
    """Return `vector` as pgvector reads it."""
    return orjson.dumps(
        np.ascontiguousarray(vector, np.float32), option=orjson.OPT_SERIALIZE_NUMPY
    ).decode()


def ids_literal(memory_ids: Iterable[UUID]) -> str:
    """Return ids as a `uuid[]`: psycopg looks at each element of a list four times."""
    return "{" + ",".join([memory_id.hex for memory_id in memory_ids]) + "}"
