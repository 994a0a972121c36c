"""Random agents, grants, owner claims and memories: nobody sees a foreign row."""

from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.client import HttpAgent, new_agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

SPACES = ("north", "south")
OWNERS = ("ann", "anna", "bo")
RIGHTS = ("", "r", "w", "rw")
CLAIMS = ("", "ann", "an*", "bo")
TOPICS = ("blue paint", "蓝色的墙", "a train to Lyon", "去里昂的火车")

_worlds = count(1)

agents = st.lists(
    st.tuples(
        st.sampled_from(RIGHTS), st.sampled_from(RIGHTS), st.sampled_from(CLAIMS)
    ),
    min_size=2,
    max_size=3,
)
saves = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(("", *SPACES)), st.sampled_from(OWNERS)
    ),
    min_size=1,
    max_size=5,
)


class World:
    """What was made, and who may see it by the rules of the design."""

    def __init__(self, rights: list[tuple[str, str, str]]) -> None:
        self.number = next(_worlds)
        self.rights = rights
        self.agents = [self._agent(place) for place in range(len(rights))]
        self.saved: dict[str, tuple[str, str]] = {}

    def _agent(self, place: int) -> HttpAgent:
        north, south, claim = self.rights[place]
        shared = {self.space(n): r for n, r in zip(SPACES, (north, south), strict=True)}
        return new_agent(
            name=self.home(place).removeprefix("agent:"),
            shared={name: right for name, right in shared.items() if right},
            owner_claim=claim and self.owner(claim),
        )

    def home(self, place: int) -> str:
        return f"agent:w{self.number}-{place}"

    def space(self, name: str) -> str:
        return f"w{self.number}-{name}"

    def owner(self, name: str) -> str:
        return f"w{self.number}-{name}"

    def covers(self, place: int, owner: str) -> bool:
        claim = self.rights[place][2]
        return (
            owner.startswith(claim[:-1])
            if claim.endswith("*")
            else claim in ("", owner)
        )

    def may(self, right: str, place: int, space: str) -> bool:
        if space in SPACES:
            return right in self.rights[place][SPACES.index(space)]
        return space == self.home(place)

    def save(self, place: int, name: str, owner: str, topic: str) -> None:
        space = name or self.home(place)
        body = {"namespace": self.space(name)} if name else {}
        answer = self.agents[place].post(
            "save",
            owner_id=self.owner(owner),
            content=f"{topic}, {len(self.saved)}",
            category="event",
            source={"kind": "user_input"},
            **body,
        )
        allowed = self.may("w", place, space) and self.covers(place, owner)
        assert answer.status_code == (201 if allowed else 403)
        if allowed:
            self.saved[answer.json()["memory_id"]] = (space, owner)

    def visible(self, place: int, owner: str) -> set[str]:
        return {
            memory_id
            for memory_id, (space, whose) in self.saved.items()
            if whose == owner
            and self.covers(place, owner)
            and self.may("r", place, space)
        }


def listed(answer: Any) -> set[str]:
    assert answer.status_code == 200
    return {memory["memory_id"] for memory in answer.json()["memories"]}


@settings(
    max_examples=12,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
    ],
)
@given(rights=agents, wanted=saves)
def test_each_agent_sees_exactly_what_its_grants_and_claim_cover(rights, wanted):
    world = World(rights)
    for number, (place, name, owner) in enumerate(wanted):
        topic = TOPICS[number % len(TOPICS)]
        world.save(place % len(rights), name, owner, topic)
    for place, agent in enumerate(world.agents):
        for owner in OWNERS:
            expected = world.visible(place, owner)
            owner_id = world.owner(owner)
            assert listed(agent.get("/v1/memory", owner_id=owner_id)) == expected
            found = agent.post(
                "recall", owner_id=owner_id, query="blue", include=["archived"]
            )
            assert listed(found) == expected
            missing = agent.get(f"/v1/memory/{uuid4()}", owner_id=owner_id)
            for memory_id in world.saved:
                shown = agent.get(f"/v1/memory/{memory_id}", owner_id=owner_id)
                if memory_id in expected:
                    assert shown.json()["memory_id"] == memory_id
                else:
                    assert shown.status_code == missing.status_code == 404
                    assert {**shown.json(), "request_id": ""} == {
                        **missing.json(),
                        "request_id": "",
                    }
