"""Tokens, owner claims, namespaces and grants: who reaches what."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from memory_core import isolation
from memory_core.actions import access, agents, tokens
from memory_core.contracts.callers import Scope
from memory_core.contracts.tokens import is_well_formed, new_secret
from memory_core.exceptions import (
    InvalidInput,
    NamespaceNotWritable,
    OwnerNotAllowed,
)
from memory_core.models import Agent, AuditEntry, Memory, Namespace, Owner, Token
from memory_core.recall.flushing import flush
from tests.factories import make_caller, make_token
from tests.factories.world import BY

pytestmark = pytest.mark.django_db


def token_of(secret: str) -> Token:
    return Token.objects.get(prefix=secret[:12])


def test_a_secret_is_well_formed_and_a_typo_is_not():
    secret = new_secret()
    assert is_well_formed(secret)
    assert len(secret) == 42
    swapped = secret[:5] + ("A" if secret[5] != "A" else "B") + secret[6:]
    for wrong in (swapped, secret[:-1], secret + "x", secret.upper(), "", "mnm_"):
        assert not is_well_formed(wrong)


def test_a_badly_formed_secret_never_reaches_the_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert access.authenticate("mnm_" + "0" * 38) is None


def test_only_a_keyed_digest_of_the_secret_is_stored():
    secret = make_token()
    row = str(Token.objects.filter(prefix=secret[:12]).values().get())
    assert secret[12:] not in row


def test_an_expired_token_is_refused():
    secret = make_token()
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert access.authenticate(secret) is None


def test_a_revoked_token_is_refused_at_once_here():
    secret = make_token()
    assert access.authenticate(secret)
    tokens.revoke(token=token_of(secret), by=BY, now=timezone.now())
    assert access.authenticate(secret) is None
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.outcome) == ("access.denied", "denied")
    assert entry.actor_token == secret[:12]


def test_a_token_of_a_disabled_agent_is_refused():
    secret = make_token("sleepy")
    agent = Agent.objects.get(name="sleepy")
    agents.disable(agent=agent, by=BY, now=timezone.now())
    assert access.authenticate(secret) is None


def test_a_rotated_token_works_until_its_overlap_ends(time_machine):
    secret = make_token()
    fresh, _ = tokens.rotate(token=token_of(secret), by=BY, now=timezone.now())
    assert access.authenticate(secret) and access.authenticate(fresh)
    time_machine.move_to(timezone.now() + timedelta(hours=1, seconds=1))
    assert access.authenticate(secret) is None
    assert access.authenticate(fresh)


def test_an_overlap_is_at_most_a_day():
    token = token_of(make_token())
    with pytest.raises(InvalidInput):
        tokens.rotate(
            token=token, by=BY, now=timezone.now(), overlap=timedelta(hours=25)
        )


def test_a_token_bound_to_addresses_comes_from_nowhere_else():
    secret = make_token()
    Token.objects.update(addresses=["10.1.0.0/16", "::1/128"])
    assert access.authenticate(secret, address="10.1.2.3")
    assert access.authenticate(secret, address="::1")
    assert access.authenticate(secret, address="10.2.2.3") is None
    assert access.authenticate(secret, address="unknown") is None


@pytest.mark.parametrize(
    ("claim", "owner", "allowed"),
    [
        ("", "anyone", True),
        ("user-1", "user-1", True),
        ("user-1", "user-12", False),
        ("shop-*", "shop-9", True),
        ("shop-*", "other-9", False),
    ],
)
def test_an_owner_claim_binds_a_token(claim, owner, allowed):
    caller = make_caller(owner_claim=claim)
    Owner.objects.create(external_id=owner)
    assert bool(access.read_scope(caller, owner).owner) is allowed
    if allowed:
        access.write_scope(caller, owner)
    else:
        with pytest.raises(OwnerNotAllowed):
            access.write_scope(caller, owner)


def test_a_scope_has_readable_namespaces_only():
    caller = make_caller("reader", shared={"open": "r", "drop-box": "w"})
    scope = access.read_scope(caller, "anyone")
    names = set(
        Namespace.objects.filter(pk__in=scope.namespaces).values_list("name", flat=True)
    )
    assert names == {"agent:reader", "open"}


def test_a_namespace_without_the_right_to_write_is_refused():
    caller = make_caller(shared={"open": "r"})
    for name in ("open", "no-such-namespace"):
        with pytest.raises(NamespaceNotWritable):
            access.write_scope(caller, "anyone", namespace=name)


def test_unreadable_namespaces_are_dropped_like_missing_ones():
    agents.share_namespace(name="secret", by=BY)
    caller = make_caller()
    for name in ("secret", "no-such-namespace"):
        assert access.read_scope(caller, "x", namespaces=[name]).namespaces == ()


def test_a_token_may_have_a_namespace_of_its_own_to_write_to():
    caller = make_caller(namespace="team", shared={"team": "rw"})
    scope = access.write_scope(caller, "anyone")
    assert Namespace.objects.get(pk=scope.namespaces[0]).name == "team"


def test_a_private_namespace_cannot_be_granted():
    first = agents.register(name="first", by=BY)
    second = agents.register(name="second", by=BY)
    with pytest.raises(InvalidInput):
        agents.grant(
            agent=second, namespace=first.namespace, read=True, write=False, by=BY
        )
    with pytest.raises(InvalidInput):
        agents.share_namespace(name="agent:first", by=BY)


def test_the_use_of_a_token_is_noted():
    secret = make_token()
    access.authenticate(secret)
    flush()
    assert token_of(secret).last_used_at is not None


def test_every_change_of_rights_is_audited():
    secret = make_token("watched", shared={"open": "rw"})
    token = token_of(secret)
    tokens.rotate(token=token, by=BY, now=timezone.now())
    tokens.revoke(token=token, by=BY, now=timezone.now())
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == [
        "agent.register",
        "namespace.create",
        "grant.set",
        "token.issue",
        "token.issue",
        "token.rotate",
        "token.revoke",
    ]


def test_memories_cannot_be_reached_without_a_scope():
    with pytest.raises(RuntimeError):
        Memory.objects.all()
    with pytest.raises(RuntimeError):
        Memory.objects.filter(owner_id=1)


def test_a_connection_without_a_scope_sees_no_memory(a_memory):
    with isolation.agent_transaction():
        assert Memory.unscoped.count() == 0
    assert Memory.unscoped.count() == 1


def test_row_level_security_hides_other_owners_and_namespaces(a_memory):
    mine = Scope(a_memory.owner_id, "me", (a_memory.namespace_id,))
    other_owner = Scope(a_memory.owner_id + 1, "you", (a_memory.namespace_id,))
    other_space = Scope(a_memory.owner_id, "me", (a_memory.namespace_id + 1,))
    for scope, count in ((mine, 1), (other_owner, 0), (other_space, 0)):
        with isolation.agent_transaction(scope):
            assert Memory.unscoped.count() == count


def test_row_level_security_refuses_a_row_of_another_owner(a_memory):
    stranger = Scope(a_memory.owner_id + 1, "you", (a_memory.namespace_id,))
    a_memory.pk = None
    with pytest.raises(DatabaseError), isolation.agent_transaction(stranger):
        a_memory.save(force_insert=True)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_core_token SET scopes = '{admin}'",
        "DELETE FROM memory_core_auditentry",
        "UPDATE memory_core_category SET half_life = 1",
        "SELECT * FROM auth_user",
        "SELECT * FROM django_session",
        "CREATE TABLE mine (id int)",
    ],
)
def test_the_api_role_has_no_other_right(statement):
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        isolation.agent_transaction(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.fixture
def a_memory() -> Memory:
    """One row, put in place under the feet of the application."""
    from memory_core.models import Category, Source

    space = agents.share_namespace(name="some", by=BY)
    now = timezone.now()
    return Memory.unscoped.create(
        namespace=space,
        owner=Owner.objects.create(external_id="me"),
        source=Source.objects.create(namespace=space, kind="user_input"),
        category=Category.objects.get(name="fact"),
        content="a",
        content_digest=b"1",
        text_key=b"1",
        observed_at=now,
        created_at=now,
        updated_at=now,
    )
