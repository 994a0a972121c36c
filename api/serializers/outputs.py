"""The shapes of answers, for the OpenAPI document; `api.answers` writes them."""

from rest_framework import serializers

from api.serializers.queries import STATUSES
from memory_core.contracts.enums import (
    CATEGORIES,
    EmbeddingState,
    JobState,
    SourceKind,
    Tier,
)

EVENTS = ("added", "reinforced", "updated", "unchanged")


class Output(serializers.Serializer):  # type: ignore[type-arg]
    """An answer's object."""


class FieldErrorOutput(Output):
    field = serializers.CharField(help_text="Dotted path; empty for the whole body.")
    code = serializers.CharField()
    message = serializers.CharField()


class ProblemOutput(Output):
    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable; see docs/errors.md.")
    detail = serializers.CharField()
    request_id = serializers.CharField()
    errors = FieldErrorOutput(many=True, required=False)  # type: ignore[assignment]


class ReviewOutput(Output):
    reasons = serializers.ListField(child=serializers.CharField())
    reviewed_at = serializers.DateTimeField(required=False, allow_null=True)


class SavedOutput(Output):
    memory_id = serializers.UUIDField()
    event = serializers.ChoiceField(EVENTS)
    status = serializers.ChoiceField(STATUSES)
    version = serializers.IntegerField()
    score = serializers.FloatField()
    embedding = serializers.ChoiceField(EmbeddingState.values)
    superseded = serializers.ListField(child=serializers.UUIDField(), required=False)
    superseded_by = serializers.UUIDField(required=False)
    review = ReviewOutput(required=False)
    redacted = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Kinds of secrets that were replaced before it was stored.",
    )


class BatchOutput(Output):
    results = serializers.ListField(
        child=serializers.DictField(), help_text="A saved answer or a problem each."
    )


class SourceOutput(Output):
    kind = serializers.ChoiceField(SourceKind.values)
    name = serializers.CharField(allow_blank=True)
    trust = serializers.ChoiceField(("trusted", "normal", "blocked"))


class CoreOutput(Output):
    memory_id = serializers.UUIDField()
    content = serializers.CharField()
    category = serializers.ChoiceField(CATEGORIES)
    tier = serializers.ChoiceField(Tier.values)
    score = serializers.FloatField(help_text="Live, decayed, in [0, 1].")
    source = SourceOutput()  # type: ignore[assignment]
    subject = serializers.CharField(allow_blank=True)
    entities = serializers.ListField(child=serializers.CharField())
    tags = serializers.ListField(child=serializers.CharField())
    observed_at = serializers.DateTimeField()
    occurred_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    last_accessed_at = serializers.DateTimeField(allow_null=True)
    access_count = serializers.IntegerField()
    confidence = serializers.FloatField()


class HitOutput(CoreOutput):
    namespace = serializers.CharField()
    metadata = serializers.DictField()
    session_id = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(allow_null=True)
    external_id = serializers.CharField(allow_blank=True)
    similarity = serializers.FloatField(help_text="How relevant by itself, in [0, 1].")
    rank_score = serializers.FloatField(help_text="What the order comes from.")
    explain = serializers.DictField(required=False)


class WithheldOutput(Output):
    screening = serializers.IntegerField()
    faded = serializers.IntegerField()
    budget = serializers.IntegerField()
    untrusted_for_purpose = serializers.IntegerField()
    ids = serializers.DictField(
        required=False, help_text="By reason, for tokens with the scope review."
    )


class RecallOutput(Output):
    recall_id = serializers.UUIDField()
    memories = HitOutput(many=True)
    withheld = WithheldOutput()
    hints = serializers.ListField(child=serializers.CharField())


class LineageOutput(Output):
    superseded_by = serializers.UUIDField(allow_null=True)
    superseded_at = serializers.DateTimeField(allow_null=True)
    merged_into = serializers.UUIDField(allow_null=True)
    derived_from = serializers.ListField(child=serializers.UUIDField())
    related = serializers.ListField(child=serializers.UUIDField())


class MemoryOutput(CoreOutput):
    status = serializers.ChoiceField(STATUSES)
    namespace = serializers.CharField()
    version = serializers.IntegerField()
    embedding = serializers.ChoiceField(EmbeddingState.values)
    importance = serializers.FloatField()
    metadata = serializers.DictField()
    expire_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField()
    session_id = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(allow_null=True)
    external_id = serializers.CharField(allow_blank=True)
    review = ReviewOutput()
    lineage = LineageOutput()


class VersionOutput(Output):
    version = serializers.IntegerField()
    event = serializers.CharField()
    content = serializers.CharField()
    values = serializers.DictField()
    changed_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class HistoryOutput(Output):
    memory = MemoryOutput()
    versions = VersionOutput(many=True)
    supersedes = MemoryOutput(many=True)
    merged = MemoryOutput(many=True)


class PageOutput(Output):
    memories = MemoryOutput(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class DeletedOutput(Output):
    deleted = serializers.BooleanField()


class ForgottenOutput(Output):
    dry_run = serializers.BooleanField()
    count = serializers.IntegerField()
    memory_ids = serializers.ListField(child=serializers.UUIDField())
    hints = serializers.ListField(
        child=serializers.ChoiceField(("nothing_fits", "everything", "too_many")),
        help_text="Why nothing goes; `everything`: use forget-owner.",
    )
    memories = MemoryOutput(many=True, required=False)


class FeedbackOutput(Output):
    recorded = serializers.BooleanField()


class FaultOutput(Output):
    line = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()
    field = serializers.CharField()


class LineOutput(Output):
    line = serializers.IntegerField()
    event = serializers.ChoiceField(("added", "updated"))
    memory_id = serializers.UUIDField()
    held = serializers.BooleanField()
    fields = serializers.ListField(  # type: ignore[assignment]
        child=serializers.CharField(), help_text="What an update changes."
    )


class ImportOutput(Output):
    dry_run = serializers.BooleanField()
    lines = serializers.IntegerField(help_text="Memory lines, bad ones too.")
    added = serializers.IntegerField()
    updated = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    held = serializers.IntegerField(help_text="Of those, waiting for a person.")
    refused = serializers.IntegerField()
    links_dropped = serializers.IntegerField()
    quarantined = FaultOutput(many=True, help_text="At most the first 1,000.")
    quarantined_total = serializers.IntegerField()
    quarantine_file = serializers.CharField(required=False)
    checksum_mismatch = serializers.ListField(
        child=serializers.IntegerField(), help_text="Parts, from 0."
    )
    checked = serializers.DictField(child=serializers.IntegerField())
    changes = LineOutput(many=True, required=False, help_text="In a dry run.")


class PartOutput(Output):
    lines = serializers.IntegerField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()


class SnapshotOutput(Output):
    snapshot_id = serializers.UUIDField()
    state = serializers.ChoiceField(JobState.values)
    counts = serializers.DictField(child=serializers.IntegerField())
    parts = PartOutput(many=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class SnapshotsOutput(Output):
    snapshots = SnapshotOutput(many=True)


class RunStartedOutput(Output):
    run_id = serializers.UUIDField()


class RunOutput(Output):
    run_id = serializers.UUIDField()
    state = serializers.ChoiceField(JobState.values)
    dry_run = serializers.BooleanField()
    seen = serializers.IntegerField(help_text="Memories looked at so far.")
    counts = serializers.DictField(child=serializers.IntegerField())
    cases = serializers.ListField(child=serializers.DictField())
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class AccessOutput(Output):
    name = serializers.CharField()
    can_read = serializers.BooleanField()
    can_write = serializers.BooleanField()


class LimitsOutput(Output):
    requests_per_second = serializers.IntegerField()
    burst = serializers.IntegerField()


class MeOutput(Output):
    agent = serializers.CharField()
    token = serializers.CharField(help_text="The prefix that may be shown.")
    namespace = serializers.CharField(help_text="Where a save without one goes.")
    namespaces = AccessOutput(many=True)
    scopes = serializers.ListField(child=serializers.CharField())
    owner_claim = serializers.CharField(allow_null=True)
    limits = LimitsOutput()


class AliveOutput(Output):
    status = serializers.ChoiceField(("alive",))


class ReadyOutput(Output):
    status = serializers.ChoiceField(("ready", "not_ready"))
    checks = serializers.DictField(
        child=serializers.CharField(), help_text="`ok`, or a code, by part."
    )
