"""The queue's side of a flush: a batch leaves Valkey only after it was written.

A batch is moved aside under an id. Whoever finds one there finishes it first; the id
in `FlushMark` tells whether it was written before the crash.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from uuid import UUID, uuid4

import orjson
from pydantic import TypeAdapter, ValidationError

from memory_core import valkey
from memory_core.contracts.touches import Note
from memory_core.recall.gaining import OF_AN_HOUR, SessionKey, slots
from memory_core.recall.touches import WAITING

TAKEN, BATCH = f"{WAITING}:taken", f"{WAITING}:batch"
SIZE = 1_000
GAINED = "mneme:gained"
SESSION_SECONDS = 7 * 86_400  # as long as a session may live
HOUR_SECONDS = 7_200  # notes of an hour may come late

TAKE = """
local taken = redis.call('LRANGE', KEYS[2], 0, -1)
if #taken == 0 then
  taken = redis.call('LPOP', KEYS[1], ARGV[1])
  if not taken then return {} end
  redis.call('RPUSH', KEYS[2], unpack(taken))
  redis.call('SET', KEYS[3], ARGV[2])
end
return {redis.call('GET', KEYS[3]), taken}
"""

_notes = TypeAdapter(Note)


@dataclass(frozen=True, slots=True)
class Batch:
    """Notes under way; `unreadable` counts those that were not understood."""

    id: UUID
    notes: tuple[Note, ...]
    unreadable: int


def take() -> Batch | None:
    """Return the batch left by a crash, else the next one, None if nothing waits.

    Raises valkey.Unavailable. One process at a time.
    """
    answer = valkey.run(TAKE, [WAITING, TAKEN, BATCH], [SIZE, str(uuid4())])
    if not answer:
        return None
    batch_id, raw = answer
    notes = [_read(line) for line in raw]
    known = tuple(note for note in notes if note is not None)
    return Batch(UUID(batch_id.decode()), known, len(notes) - len(known))


def gained_before(notes: Iterable[Note]) -> dict[SessionKey, set[UUID]]:
    """Return the memories to which each session of `notes` brought a gain already.

    And those that gained in the hours of these notes, by slot.
    """
    found = [note for note in notes if note.touches and note.session]
    hours = {slot for note in found for slot in slots(note)}
    keys = sorted({(note.owner, note.session) for note in found} | hours)
    pipe = valkey.client().pipeline(transaction=False)
    for key in keys:
        pipe.smembers(_key(key))
    answers = pipe.execute() if keys else []
    return {
        key: {UUID(bytes=raw) for raw in members}
        for key, members in zip(keys, answers, strict=True)
    }


def finish(gained: Mapping[SessionKey, Set[UUID]]) -> None:
    """Remember the sessions' gains and drop the batch, in one step."""
    pipe = valkey.client().pipeline(transaction=True)
    for key, memory_ids in gained.items():
        if memory_ids:
            pipe.sadd(_key(key), *(memory_id.bytes for memory_id in memory_ids))
            is_hour = key[1].startswith(f"{OF_AN_HOUR}:")
            pipe.expire(_key(key), HOUR_SECONDS if is_hour else SESSION_SECONDS)
    pipe.delete(TAKEN, BATCH)
    pipe.execute()


def _key(key: SessionKey) -> str:
    owner, session = key
    return f"{GAINED}:{owner}:{session}"


def _read(line: bytes) -> Note | None:
    try:
        return _notes.validate_python(orjson.loads(line))
    except (ValidationError, ValueError):
        return None
