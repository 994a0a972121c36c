"""The console's addresses, a list for each group of pages."""

from django.urls import include, path

from moderation.pages import (
    audit,
    batches,
    categories,
    policies,
    second_looks,
    sources,
    team,
)
from moderation.pages.bulk import bulk, undo_bulk
from moderation.pages.go import go
from moderation.pages.memories import memories, recall
from moderation.pages.memory import act, edit, memory
from moderation.pages.overview import overview
from moderation.pages.preferences import preferences
from moderation.pages.queue import clusters, queue
from moderation.pages.replay import recalls
from moderation.pages.review import confirm, decide, note, review, undo
from moderation.pages.session import stay
from moderation.pages.spread import category_spread
from moderation.pages.undoing import undo as undo_writes
from moderation.urls import agents, blocks, moving, operation, requests

urlpatterns = [
    path("", overview, name="overview"),
    path("go/", go, name="go"),
    path("session/", stay, name="session"),
    path("accounts/", include("allauth.urls")),
    path("", include("moderation.urls.public")),
    path("memories/", memories, name="memories"),
    path("memories/recall/", recall, name="recall"),
    path("memories/undo/", undo_writes, name="undo-writes"),
    path("memories/<uuid:memory_id>/", memory, name="memory"),
    path("memories/<uuid:memory_id>/edit/", edit, name="memory-edit"),
    path("memories/<uuid:memory_id>/<slug:verb>/", act, name="memory-act"),
    path("sources/", sources.sources, name="sources"),
    path("sources/<int:source_id>/", sources.source, name="source"),
    path("sources/<int:source_id>/trust/", sources.trust, name="source-trust"),
    path("categories/", categories.categories, name="categories"),
    path("categories/<slug:name>/", categories.category, name="category"),
    path("categories/<slug:name>/tune/", categories.tune, name="category-tune"),
    path(
        "categories/<slug:name>/spread/",
        category_spread,
        name="category-spread",
    ),
    path(
        "categories/<slug:name>/back-test/",
        categories.back_test,
        name="category-back-test",
    ),
    path(
        "categories/changes/<int:change_id>/<slug:verb>/",
        categories.decide,
        name="category-change",
    ),
    path(
        "categories/versions/<int:version_id>/roll-back/",
        categories.roll_back,
        name="category-roll-back",
    ),
    path("team/", team.people, name="team"),
    path("team/add/", team.add, name="team-add"),
    path("team/policies/<int:namespace_id>/", team.set_policy, name="team-policy"),
    path(
        "team/policies/<int:namespace_id>/versions/",
        policies.versions,
        name="team-policy-versions",
    ),
    path(
        "team/policies/versions/<int:version_id>/roll-back/",
        policies.roll_back,
        name="team-policy-roll-back",
    ),
    path("preferences/", preferences, name="preferences"),
    path("audit/", audit.audit, name="audit"),
    path("audit/person/", audit.person, name="audit-person"),
    path("audit/check/", audit.check, name="audit-check"),
    path("audit/export/", audit.export, name="audit-export"),
    path("queue/", queue, name="queue"),
    path("queue/clusters/", clusters, name="clusters"),
    path("queue/all/", batches.selection, name="selection"),
    path("queue/batches/<uuid:job_id>/", batches.batch, name="batch"),
    path("queue/batches/<uuid:job_id>/cancel/", batches.cancel, name="batch-cancel"),
    path("queue/batches/<uuid:job_id>/undo/", batches.undo, name="batch-undo"),
    path("queue/second/", second_looks.second_looks, name="second-looks"),
    path(
        "queue/second/<int:look_id>/answer/",
        second_looks.answer,
        name="second-look-answer",
    ),
    path(
        "queue/second/<int:look_id>/settle/",
        second_looks.settle,
        name="second-look-settle",
    ),
    path("queue/bulk/", bulk, name="bulk"),
    path("queue/bulk/undo/", undo_bulk, name="bulk-undo"),
    path("queue/<uuid:memory_id>/", review, name="review"),
    path("queue/<uuid:memory_id>/decide/", decide, name="review-decide"),
    path("queue/<uuid:memory_id>/undo/", undo, name="review-undo"),
    path("queue/<uuid:memory_id>/confirm/", confirm, name="review-confirm"),
    path("queue/<uuid:memory_id>/note/", note, name="review-note"),
    path("queue/<uuid:memory_id>/recalls/", recalls, name="review-recalls"),
    *agents.urlpatterns,
    *blocks.urlpatterns,
    *moving.urlpatterns,
    *operation.urlpatterns,
    *requests.urlpatterns,
]
