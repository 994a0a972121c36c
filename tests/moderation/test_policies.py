"""Policies of review have versions."""

import pytest
from django.test import Client

from memory_core.models import AuditEntry, Memory, Namespace
from moderation.actions import policies
from moderation.models import PolicyVersion, ReviewCase
from tests.factories.world import BY
from tests.moderation.test_review import decide

pytestmark = pytest.mark.django_db
VALUES = {
    "hold_inferences": "suspicious",
    "review_share": "0.05",
    "agent_review": "inferences",
    "secrets": "",
}


def set_policy(client: Client, memory: Memory, **changed: object) -> None:
    place = f"/team/policies/{memory.namespace_id}/"
    answer = client.post(place, {**VALUES, **changed})
    assert answer.status_code == 302, answer.context["form"].errors


def test_a_version_says_who_changed_what_and_is_brought_back(signed_in, held):
    memory, client = held(), signed_in("admin")
    set_policy(client, memory, hold_inferences="all", note="an attack")
    set_policy(client, memory, secrets="redact", second_review=["sensitive"])
    place = f"/team/policies/{memory.namespace_id}/versions/"
    page = client.get(place).content.decode()
    assert "Hold: suspicious ones → all" in page
    assert "an attack" in page
    assert "Two people must agree: – → sensitive actions" in page
    second = PolicyVersion.objects.get(version=2)
    client.post(f"/team/policies/versions/{second.pk}/roll-back/")
    space = Namespace.objects.get(pk=memory.namespace_id)
    assert (space.hold_inferences, space.secrets) == ("all", "")
    newest = policies.in_force(space.pk)
    assert newest is not None
    assert (newest.version, newest.values) == (4, second.values)
    assert newest.changed_by == "operator:admin"
    entries = AuditEntry.objects.filter(action="policy.review").order_by("pk")
    assert [one.details["version"] for one in entries] == [2, 3, 4]


def test_a_decision_keeps_the_version_it_was_made_under(signed_in, held):
    memory, moderator = held(), signed_in("moderator")
    set_policy(signed_in("admin"), memory)
    decide(moderator, memory, "reject")
    policies.set_review(
        namespace=memory.namespace, hold_inferences="all", review_share=0, by=BY
    )
    assert ReviewCase.objects.get(memory_id=memory.pk).policy_version == 2
    page = moderator.get(f"/queue/{memory.pk}/").content.decode()
    assert "under version 2 of the policy" in page


def test_an_installation_that_changed_nothing_has_no_version(signed_in, held):
    memory = held()
    decide(signed_in("moderator"), memory, "reject")
    assert ReviewCase.objects.get(memory_id=memory.pk).policy_version is None
    place = f"/team/policies/{memory.namespace_id}/versions/"
    assert "As installed" in signed_in("admin").get(place).content.decode()
