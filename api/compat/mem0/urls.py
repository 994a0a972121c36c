"""mem0's paths: the platform's three versions and the open-source server's.

The platform ends its paths with a slash and the open-source server does not; both are
taken. Every other path says that it is not offered.
"""

from django.urls import URLPattern, re_path

from api.compat.mem0.views.around import (
    Entities,
    Entity,
    Event,
    Feedback,
    Ping,
    Refused,
)
from api.compat.mem0.views.base import Mem0View
from api.compat.mem0.views.memories import (
    Add,
    BareCollection,
    BareSearch,
    Collection,
    Listing,
    Search,
)
from api.compat.mem0.views.memory import Batch, History, One

ONE = r"(?P<memory_id>[^/]+)"
SENTENCES = {
    "exports": "There are no exports by schema; GET /v1/memory/export streams all.",
    "summary": "There are no summaries of an export; POST /v1/memory/context gives one"
    " for a prompt.",
    "reset": "Nothing is reset at once; delete the entities one by one.",
    "configure": "The service is configured by its environment, not over HTTP.",
    "orgs": "There are no organisations and projects here; a token has its namespaces.",
    "webhooks": "There are no webhooks here.",
    "profile": "There are no profiles by schema; POST /v1/memory/context gives an"
    " overview.",
}


def _path(route: str, view: type[Mem0View], name: str, **options: str) -> URLPattern:
    return re_path(rf"^{route}/?$", view.as_view(**options), name=f"mem0-{name}")


def _refused(route: str, name: str) -> URLPattern:
    return _path(route, Refused, name, sentence=SENTENCES[name])


urlpatterns = [
    _path("v1/ping", Ping, "ping"),
    _path("v3/memories/add", Add, "add-v3"),
    _path("v3/memories/search", Search, "search-v3"),
    _path("v3/memories", Listing, "list-v3"),
    _path("v2/memories/search", Search, "search-v2"),
    _path("v2/memories", Listing, "list-v2"),
    _path("v1/memories/search", BareSearch, "search-v1"),
    _path("v1/memories", BareCollection, "memories-v1"),
    _path(f"v1/memories/{ONE}/history", History, "history-v1"),
    _path(f"v1/memories/{ONE}", One, "memory-v1"),
    _path("v1/batch", Batch, "batch"),
    _path("v1/entities", Entities, "entities"),
    _refused(r"v2/(?:profiles/.*|entities/user/[^/]+/profile)", "profile"),
    _path(r"v2/entities/(?P<kind>[^/]+)/(?P<name>.+?)", Entity, "entity"),
    _path(r"v1/event/(?P<event_id>[^/]+)", Event, "event"),
    _path("v1/feedback", Feedback, "feedback"),
    _path("memories", Collection, "memories"),
    _path("search", Search, "search"),
    _path(f"memories/{ONE}/history", History, "history"),
    _path(f"memories/{ONE}", One, "memory"),
    _refused(r"v1/exports(?:/.*)?", "exports"),
    _refused("v1/summary", "summary"),
    _refused("reset", "reset"),
    _refused("configure(?:/.*)?", "configure"),
    _refused(r"api/v1/orgs/.*", "orgs"),
    _refused(r"api/v1/webhooks/.*", "webhooks"),
    _path(r".*", Refused, "elsewhere"),
]
