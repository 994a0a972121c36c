"""One request of mem0's clients for every route, for the matrix of isolation.

mem0 names a memory by its id alone, so whoever reads its namespace may ask for it.
"""

from dataclasses import asdict
from typing import Any

from tests.api.client import HttpAgent


def of_mem0(method: str, path: str, **body: Any):
    """A request of a mem0 client; braces hold the names of a target's fields."""

    def filled(value: Any, at: Any) -> Any:
        if isinstance(value, str):
            return value.format(**asdict(at))
        if isinstance(value, list):
            return [filled(one, at) for one in value]
        return {name: filled(one, at) for name, one in value.items()}

    def request(agent: HttpAgent, at: Any) -> Any:
        sent = filled(body, at) if body else None
        return agent.call(method, f"/compat/mem0/{filled(path, at)}", sent)

    return request


BATCH = [{"memory_id": "{memory_id}", "text": "grey"}]
OF_LIN = {"user_id": "{owner_id}"}
MEM0_WITH_ID = {
    "mem0-memory-v1": [
        of_mem0("GET", "v1/memories/{memory_id}/"),
        of_mem0("PUT", "v1/memories/{memory_id}/", text="grey"),
        of_mem0("DELETE", "v1/memories/{memory_id}/"),
    ],
    "mem0-memory": [
        of_mem0("GET", "memories/{memory_id}"),
        of_mem0("PUT", "memories/{memory_id}", text="grey"),
        of_mem0("DELETE", "memories/{memory_id}"),
    ],
    "mem0-history-v1": [of_mem0("GET", "v1/memories/{memory_id}/history/")],
    "mem0-history": [of_mem0("GET", "memories/{memory_id}/history")],
    "mem0-batch": [
        of_mem0("PUT", "v1/batch/", memories=BATCH),
        of_mem0("DELETE", "v1/batch/", memories=[{"memory_id": "{memory_id}"}]),
    ],
    "mem0-event": [of_mem0("GET", "v1/event/{memory_id}/")],
    "mem0-feedback": [
        of_mem0(
            "POST", "v1/feedback/", memory_id="{memory_id}", feedback="VERY_NEGATIVE"
        )
    ],
}
ASKED = {"query": "favourite colour", "filters": OF_LIN}
MEM0_WITH_OWNER = {
    "mem0-search-v3": [of_mem0("POST", "v3/memories/search/", **ASKED)],
    "mem0-search-v2": [of_mem0("POST", "v2/memories/search/", **ASKED)],
    "mem0-search-v1": [of_mem0("POST", "v1/memories/search/", **ASKED)],
    "mem0-search": [of_mem0("POST", "search", **ASKED)],
    "mem0-list-v3": [of_mem0("POST", "v3/memories/", filters=OF_LIN)],
    "mem0-list-v2": [of_mem0("POST", "v2/memories/", filters=OF_LIN)],
    "mem0-memories-v1": [
        of_mem0("GET", "v1/memories/?user_id={owner_id}"),
        of_mem0("DELETE", "v1/memories/?user_id={owner_id}"),
    ],
    "mem0-memories": [
        of_mem0("GET", "memories?user_id={owner_id}"),
        of_mem0("DELETE", "memories?user_id={owner_id}"),
    ],
    "mem0-entity": [of_mem0("DELETE", "v2/entities/user/{owner_id}/")],
}
MEM0_OWNERS = {"mem0-entities"}
MEM0_WRITING = {"mem0-add-v3"}  # and the POSTs of lists: see tests/compat
MEM0_NOT_ABOUT_OWNERS = {
    *("mem0-ping", "mem0-exports", "mem0-summary", "mem0-reset", "mem0-configure"),
    *("mem0-orgs", "mem0-webhooks", "mem0-profile", "mem0-elsewhere"),
}
