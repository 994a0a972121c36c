"""Remove deleted text from open session windows, or it would be encoded again."""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial

from django.db import transaction

from memory_core.exceptions import ServiceUnavailable
from memory_core.models import Memory, RawTurns
from memory_core.saving.relation import normalise
from memory_core.sessions import store

SHORTEST = 4
"""Characters of a text that is looked for inside of messages."""

logger = logging.getLogger(__name__)


def clear(gone: Sequence[Memory], *, owner: int, owner_id: str, now: datetime) -> None:
    """Take what memories say out of the owner's windows, once this has committed.

    A message goes if it holds the words of one of them, or if the encoder made one of
    them of it.
    """
    made = _made_by_encoder([memory.pk for memory in gone], owner=owner)
    places = {
        (memory.session_id, memory.position)
        for memory in gone
        if memory.pk in made and memory.session_id and memory.position is not None
    }
    keys = {normalise(memory.content) for memory in gone}
    words = {key for key in keys if len(key) >= SHORTEST}
    transaction.on_commit(partial(_drop, owner_id, words, places, now=now))


def _made_by_encoder(ids: Sequence[object], *, owner: int) -> set[object]:
    rows = RawTurns.objects.filter(owner=owner, made__overlap=list(ids))
    return {one for made in rows.values_list("made", flat=True) for one in made}


def _drop(
    owner_id: str,
    words: Collection[str],
    places: Collection[tuple[str, int]],
    *,
    now: datetime,
) -> None:
    def says(text: str) -> bool:
        folded = normalise(text)
        return any(one in folded for one in words)

    try:
        store.drop_said(owner_id, says, places, now=now)
    except ServiceUnavailable as error:
        logger.warning("open sessions keep forgotten words until they end: %s", error)
