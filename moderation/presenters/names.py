"""Names that people read in place of the codes that are stored."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import Status
from moderation.presenters import case_names, operation_names
from moderation.roles import Role

CATEGORIES: dict[str, str | Promise] = {
    "profile": _("profile"),
    "fact": _("fact"),
    "preference": _("preference"),
    "event": _("event"),
    "task": _("task"),
    "skill": _("skill"),
    "constraint": _("constraint"),
    "temporary": _("temporary"),
}

# Lineage trust, from the lowest to the highest.
TRUST: dict[str, str | Promise] = {
    "tool_result": _("result of a tool"),
    "inference": _("inference"),
    "trusted_machine": _("trusted tool or agent"),
    "user_input": _("user"),
    "trusted_user": _("trusted user"),
    "person": _("operator"),
}

# Why a memory waits, apart from rules of the screening.
HELD: dict[str, str | Promise] = {
    "contradicts_permanent": _("contradicts a permanent memory"),
    "contradicts_more_trusted": _("contradicts a more trusted memory"),
    "reported_wrong": _("reported as wrong"),
    "permanent_needs_review": _("wants to be permanent"),
    "inference_held": _("inference, held by policy"),
    "inference_sampled": _("sampled inference"),
    "sensitive_action": _("sensitive action"),
    "screening": _("screening"),
    "rules_changed": _("held since the rules changed"),
}

# Rules of the screening by the word before the dot.
RULES: dict[str, str | Promise] = {
    "order": _("order in disguise"),
    "model": _("looks like an attack"),
    "hidden": _("hidden characters"),
    "disguise": _("disguised spelling"),
    "envelope": _("pretends to be a system message"),
    "comment": _("hidden comment"),
    "command": _("destructive command"),
    "link": _("suspicious link"),
    "structure": _("odd structure"),
    "budget": _("too long to check"),
    "sensitive_action": _("sensitive action"),
}

OUTCOMES: dict[str, str | Promise] = {
    "allow": _("let in"),
    "hold": _("hold"),
    "refuse": _("refuse"),
    "done": _("done"),
    "refused": _("refused"),
    "denied": _("denied"),
    "failed": _("failed"),
}

FIELDS: dict[str, str | Promise] = {
    "content": _("text"),
    "joined": _("together"),
    "before": _("with the memory before it"),
}

EVENTS: dict[str, str | Promise] = {
    "updated": _("changed"),
    "merged": _("merged"),
    "rolled_back": _("rolled back"),
    "undone": _("undone"),
    "adopted": _("adopted"),
    "reinforced": _("said again"),
}

JOBS: dict[str, str | Promise] = {
    "consolidation": _("consolidation"),
    "reembedding": _("new embeddings"),
    "llm_change": _("answers of another language model"),
    "erasure": _("erasure"),
    "bulk_review": _("bulk decision"),
    "withdrawal": _("what a blocked one wrote"),
    "rescan": _("screening anew"),
    "backtest": _("back-test"),
    "import": _("import"),
    "snapshot": _("export"),
    "daily_snapshot": _("daily snapshot"),
    "verify_copy": _("verification of a copy"),
    "audit_check": _("verification of the audit log"),
}

# What a bulk decision does.
BATCH_VERBS: dict[str, str | Promise] = {
    "approve": _("Approve all"),
    "reject": _("Reject all"),
    "undo": _("Undo a batch"),
}

# Why a source, an agent or a token is blocked.
BLOCK_REASONS: list[tuple[str, str | Promise]] = [
    ("poisoned", _("it sends instructions in disguise")),
    ("untrue", _("what it sends is untrue")),
    ("compromised", _("it was taken over by somebody")),
    ("retired", _("it is not in use any more")),
]

# What becomes of what a blocked writer wrote.
WITHDRAWALS: dict[str, str | Promise] = {
    "hold": _("Hold for review"),
    "take_away": _("Take away"),
    "give_back": _("Give back"),
}

STATUSES: dict[str, str | Promise] = {one.word: one.label for one in Status}

# What became of the lines of a file.
COUNTS: dict[str, str | Promise] = {
    "added": _("added"),
    "updated": _("changed"),
    "unchanged": _("unchanged"),
    "held": _("held"),
    "refused": _("refused"),
    "quarantined": _("put aside"),
    "memories": _("memories"),
    "owners": _("people"),
}

# Why a line of a file is no memory.
FAULTS: dict[str, str | Promise] = {
    "not_json": _("cannot be read"),
    "not_an_object": _("no object"),
    "duplicate_key": _("a name stands twice"),
    "wrong_columns": _("another number of columns"),
    "unknown_field": _("unknown field"),
    "missing_field": _("lacks a field"),
    "wrong_type": _("another kind of value"),
    "out_of_range": _("out of range"),
    "too_long": _("too long"),
    "time_without_offset": _("time without a zone"),
    "bad_time": _("no time"),
    "schema_too_new": _("written by a newer version"),
    "unstorable_text": _("characters that cannot be kept"),
    "screening_refused": _("refused by the screening"),
    "source_blocked": _("blocked source"),
    "owner_erased": _("erased person"),
    "owner_being_erased": _("person under erasure"),
    "owner_restricted": _("restricted person"),
    "invalid": _("does not fit"),
    "not_found": _("no such namespace"),
}

# What may be wrong with copies outside the database.
ALARMS: dict[str, str | Promise] = {
    "cold_copy_behind": _("The cold copy is behind: the oldest write waits since"),
    "snapshot_missed": _("A daily snapshot was missed; the last one is of"),
    "copy_unsound": _("A copy could not be read back; found"),
}

NAMES: dict[str, dict[str, str | Promise]] = {
    "status": STATUSES,
    "category": CATEGORIES,
    "trust": TRUST,
    "outcome": OUTCOMES,
    "field": FIELDS,
    "event": EVENTS,
    "job": JOBS,
    "count": COUNTS,
    "fault": FAULTS,
    "alarm": ALARMS,
    "role": dict(Role.choices),
    "batchverb": BATCH_VERBS,
    "withdrawal": WITHDRAWALS,
    "blockreason": dict(BLOCK_REASONS),
    **case_names.NAMES,
    **operation_names.CODES,
}


SCOPES: dict[str, str | Promise] = {
    "recall": _("recall, get, list, context and sessions"),
    "save": _("save, change, roll back, feedback and sessions"),
    "delete": _("delete and forget; pass on a deletion request"),
    "consolidate": _("start a consolidation"),
    "export": _("export and snapshots"),
    "import": _("import"),
    "review": _("decide on held memories of other agents"),
    "admin": _("read the metrics"),
    "source:user_input": _("may say that a user said it"),
}

# Where a file of memories comes from.
SYSTEM_NAMES: dict[str, str | Promise] = {
    "mneme": _("an export of Mneme"),
    "mem0": "mem0",
    "langgraph": "LangGraph",
    "letta": "Letta",
    "zep": "Zep, Graphiti",
    "mcp": _("MCP memory server"),
    "csv": _("a table (CSV)"),
    "yaml": "YAML",
    "json": _("plain JSON"),
}


def named(code: str, kind: str) -> str | Promise:
    """Return the name of a code, the code itself if it has none.

    `kind` is one of NAMES.
    """
    return NAMES[kind].get(code, code)


def reason(code: str) -> str | Promise:
    """Return why a memory waits, by the code of a rule or of a decision."""
    family = code.partition(".")[0].partition(":")[0]
    return HELD.get(code) or RULES.get(family) or HELD.get(family) or code
