"""Names of what deletion requests are about: stores, probes, steps, grounds."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import SourceKind
from moderation.regimes import HOLD_REASONS, RULES

Names = dict[str, str | Promise]

CASE_EVENTS: Names = {
    "received": _("request came in"),
    "identity_doubted": _("proof of identity asked for"),
    "identity_settled": _("identity settled"),
    "unidentified": _("closed: not identified"),
    "searched": _("all stores searched"),
    "search_again": _("another search asked for"),
    "mentions_decided": _("decided on others' memories"),
    "proposed": _("decision proposed"),
    "approved": _("approved"),
    "sent_back": _("sent back"),
    "cancelled": _("cancelled"),
    "blocked_by_hold": _("a legal hold stops it"),
    "begun": _("erasure begun"),
    "failed": _("erasure stopped with an error"),
    "tried_again": _("erasure goes on"),
    "partially_erased": _("erased but for what is held"),
    "live_erased": _("erased, nothing found any more"),
    "certified": _("certificate issued"),
    "complete": _("gone from backups too"),
    "nothing_found": _("closed: nothing found"),
    "duplicate": _("closed as a duplicate"),
    "withdrawn": _("taken back by the person"),
    "extended": _("more time taken"),
    "letter_sent": _("letter sent"),
    "recipient_added": _("recipient added"),
    "recipient_told": _("recipient told"),
    "restricted": _("processing restricted"),
    "unrestricted": _("restriction lifted"),
    "note": _("note added"),
    "reduced": _("names and letters deleted"),
}

STORES: Names = {
    "memories": _("memories"),
    "derived_memories": _("memories made from them"),
    "vectors": _("vectors"),
    "terms": _("search terms"),
    "corpora": _("search statistics"),
    "uses": _("traces of use"),
    "reviews": _("reviews and notes"),
    "recall_events": _("recalls on record"),
    "recall_samples": _("sampled questions"),
    "recall_notes": _("recalls not yet written"),
    "query_vectors": _("questions in the cache"),
    "feedback": _("feedback of agents"),
    "answers": _("answers kept for repetitions"),
    "raw_turns": _("turns of conversations"),
    "sessions": _("conversations under way"),
    "closed_sessions": _("ended conversations"),
    "session_gains": _("gains of conversations"),
    "mentions": _("mentions in others' memories"),
    "other_answers": _("mentions in kept answers"),
    "other_feedback": _("mentions in feedback"),
    "other_notes": _("mentions in notes"),
    "other_samples": _("mentions in sampled questions"),
    "other_turns": _("mentions in others' conversations"),
    "cold_copy": _("cold copy"),
    "snapshots": _("snapshots and exports"),
    "other_lines": _("mentions in others' lines of files"),
    "uploads": _("uploaded files"),
    "jobs": _("jobs and their files"),
    "logs": _("logs"),
    "owners": _("the person's own row"),
    "versions": _("earlier texts"),
    "ended_holds": _("holds that have ended"),
    "sources": _("sources named after the person"),
    "tokens": _("tokens bound to the person"),
    "data_keys": _("keys of sealed copies"),
    "keys": _("keys in the queue server"),
}

PROBES: Names = {
    "key": _("by row of the person"),
    "digest": _("by digest"),
    "text": _("by the words themselves"),
    "recall": _("recall as the person's agents"),
    "neighbourhood": _("neighbours in the index"),
    "valkey": _("caches and queues"),
    "files": _("files"),
}

RUNS: Names = {
    "fenced": _("fenced: nothing can be stored any more"),
    "executing": _("stores are erased one by one"),
    "verifying": _("other code looks for what is left"),
    "residual_found": _("something was left; erased once more"),
    "live_erased": _("nothing is left in the running service"),
    "partially_erased": _("nothing is left but what is held"),
    "failed": _("stopped with an error"),
}

IDENTIFIERS: Names = {
    "owner": _("person id"),
    "email": _("e-mail address"),
    "phone": _("telephone number"),
    "name": _("name"),
}

CERTIFICATES: Names = {
    "interim": _("interim certificate"),
    "final": _("final certificate"),
    "partial": _("certificate of a partial erasure"),
    "refusal": _("record of a refusal"),
}

GROUNDS: Names = {
    code: name
    for rules in RULES.values()
    for code, name in (*rules.grounds, *rules.exceptions)
}

KEPT: Names = {
    **dict(HOLD_REASONS),
    "legal_hold": _("a legal hold"),
    "decided": _("kept by decision"),
}

NAMES: dict[str, Names] = {
    "case_event": CASE_EVENTS,
    "store": STORES,
    "probe": PROBES,
    "run": RUNS,
    "identifier": IDENTIFIERS,
    "certificate": CERTIFICATES,
    "ground": GROUNDS,
    "kept": KEPT,
    "source_kind": {one.value: one.label for one in SourceKind},
}
