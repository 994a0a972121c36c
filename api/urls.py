"""Every path of the agent API; one line more is one endpoint more."""

from django.urls import URLPattern, URLResolver, include, path

from api.views import schema
from api.views.changes import Restore, Rollback, Unmerge, Update
from api.views.consolidate import Consolidate, ConsolidateRun
from api.views.context import ContextBlock
from api.views.delete import Delete, Forget, ForgetOwner
from api.views.encoding import Encode
from api.views.feedback import Feedback
from api.views.files import Export, Import
from api.views.health import Healthz, Readyz
from api.views.me import Me
from api.views.memory import Get, History, List
from api.views.metrics import Metrics
from api.views.recall import Recall
from api.views.review import Approve, Queue, Reject
from api.views.save import Save, SaveBatch
from api.views.sessions import CloseSession, GetSession, SessionMessages
from api.views.snapshots import Snapshot, SnapshotContent, Snapshots

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/memory/save", Save.as_view(), name="save"),
    path("v1/memory/save/batch", SaveBatch.as_view(), name="save-batch"),
    path("v1/memory/recall", Recall.as_view(), name="recall"),
    path("v1/memory/context", ContextBlock.as_view(), name="context"),
    path("v1/memory/encode", Encode.as_view(), name="encode"),
    path("v1/memory/update", Update.as_view(), name="update"),
    path("v1/memory/rollback", Rollback.as_view(), name="rollback"),
    path("v1/memory/restore", Restore.as_view(), name="restore"),
    path("v1/memory/unmerge", Unmerge.as_view(), name="unmerge"),
    path("v1/memory/delete", Delete.as_view(), name="delete"),
    path("v1/memory/forget", Forget.as_view(), name="forget"),
    path("v1/memory/forget-owner", ForgetOwner.as_view(), name="forget-owner"),
    path("v1/memory/feedback", Feedback.as_view(), name="feedback"),
    path("v1/memory/export", Export.as_view(), name="export"),
    path("v1/memory/import", Import.as_view(), name="import"),
    path("v1/memory/consolidate", Consolidate.as_view(), name="consolidate"),
    path(
        "v1/memory/consolidate/<str:run_id>",
        ConsolidateRun.as_view(),
        name="consolidate-run",
    ),
    path("v1/memory", List.as_view(), name="memories"),
    path("v1/memory/<str:memory_id>", Get.as_view(), name="memory"),
    path("v1/memory/<str:memory_id>/history", History.as_view(), name="history"),
    path(
        "v1/sessions/<str:session_id>/messages",
        SessionMessages.as_view(),
        name="session-messages",
    ),
    path(
        "v1/sessions/<str:session_id>/close",
        CloseSession.as_view(),
        name="session-close",
    ),
    path("v1/sessions/<str:session_id>", GetSession.as_view(), name="session"),
    path("v1/snapshots", Snapshots.as_view(), name="snapshots"),
    path("v1/snapshots/<str:snapshot_id>", Snapshot.as_view(), name="snapshot"),
    path(
        "v1/snapshots/<str:snapshot_id>/content",
        SnapshotContent.as_view(),
        name="snapshot-content",
    ),
    path("v1/review/queue", Queue.as_view(), name="review-queue"),
    path("v1/review/<str:memory_id>/approve", Approve.as_view(), name="review-approve"),
    path("v1/review/<str:memory_id>/reject", Reject.as_view(), name="review-reject"),
    path("v1/me", Me.as_view(), name="me"),
    path("v1/schema/", schema.schema, name="schema"),
    path("v1/docs/", schema.docs, name="docs"),
    path("healthz", Healthz.as_view(), name="healthz"),
    path("readyz", Readyz.as_view(), name="readyz"),
    path("compat/mem0/", include("api.compat.mem0.urls")),
    path("metrics", Metrics.as_view(), name="metrics"),
]
