"""Two agents, memories to carry from one to the other, and files as bytes."""

import io
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.actions import memories, snapshots
from memory_core.contracts.memories import Draft
from memory_core.models import Memory
from memory_core.saving import lookups, vectors
from memory_core.snapshots.importing import bounded_lines
from tests.factories import make_caller

OWNER = "user-42"


@pytest.fixture(autouse=True)
def _fresh_lookups():
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


@pytest.fixture
def here(db):
    """An agent with all rights in the namespace `shop`."""
    vectors.ensure_model()
    return make_caller("here", namespace="shop", shared={"shop": "rw"})


@pytest.fixture
def there(here):
    """Another agent with all rights in the namespace `clinic`."""
    return make_caller("there", namespace="clinic", shared={"clinic": "rw"})


@pytest.fixture
def say(here):
    def say(content, **fields):
        values = {
            "owner_id": OWNER,
            "namespace": "",
            "category": "preference",
            "source_kind": "user_input",
            "source_name": "chat",
        }
        draft = Draft(content=content, **(values | fields))
        return memories.remember(draft=draft, by=here).memory_id

    return say


def exported(by, **options):
    """Return an export as bytes."""
    return b"".join(snapshots.export(by=by, **options).pieces())


def imported(by, data, **options):
    """Import bytes, or records; return the report."""
    if not isinstance(data, bytes):
        data = b"".join(json.dumps(one).encode() + b"\n" for one in data)
    lines = bounded_lines(io.BytesIO(data))
    return snapshots.take_in(by=by, lines=lines, **options)


def line(content="I like blue", **fields):
    """Return a valid record of the format."""
    moment = (timezone.now() - timedelta(days=3)).isoformat()
    return {
        "schema_version": 1,
        "owner_id": OWNER,
        "type": "preference",
        "content": content,
        "source": {"kind": "user_input", "name": "chat"},
        "timestamp": moment,
        **fields,
    }


def records(data):
    return [json.loads(one) for one in data.splitlines()[1:]]


def rows(**narrow):
    return list(Memory.unscoped.filter(**narrow).order_by("pk"))
