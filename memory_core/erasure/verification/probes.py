"""All probes in a row."""

from collections.abc import Callable, Iterator

from memory_core import isolation
from memory_core.contracts.erasure import Holds, Residue, Subject
from memory_core.erasure.verification.outside import in_files, in_valkey
from memory_core.erasure.verification.recalls import by_neighbourhood, by_recall
from memory_core.erasure.verification.rows import by_digest, by_key
from memory_core.erasure.verification.texts import by_text

Probe = Callable[[Subject, Holds], Iterator[Residue]]

PROBES: dict[str, Probe] = {
    "key": by_key,
    "digest": by_digest,
    "text": by_text,
    "recall": by_recall,
    "neighbourhood": by_neighbourhood,
    "valkey": in_valkey,
    "files": in_files,
}


def verify(subject: Subject, holds: Holds) -> list[Residue]:
    """Return what is left of the person outside the holds, by probe and store.

    A probe that finds nothing gives one line with the count 0. Raises
    valkey.Unavailable.
    """
    found: list[Residue] = []
    with isolation.verifier_transaction():
        for name, probe in PROBES.items():
            left = [one for one in probe(subject, holds) if one.count]
            found += left or [Residue(name, "", 0)]
    return found
