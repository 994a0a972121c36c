"""Where lines go when people and commands import: by the namespace's name, anywhere."""

from datetime import datetime

from memory_core.contracts.callers import SYSTEM, Actor, Scope
from memory_core.exceptions import InvalidInput, NotFound
from memory_core.models import Namespace, Owner
from memory_core.snapshots.drafts import Age
from memory_core.snapshots.importing import Resolve, Target


def target(
    *, by: Actor, namespace: str, dry_run: bool, age: Age, now: datetime
) -> Target:
    """Return where an import of a person or a command goes.

    What a person brings in a file is not their own word, which would rank highest.
    """
    return Target(
        by=SYSTEM if by.is_person else by,
        resolve=resolver(),
        now=now,
        namespace=namespace,
        dry_run=dry_run,
        age=age,
    )


def resolver() -> Resolve:
    """Return what gives scopes by name; NotFound for a namespace that is not there."""
    spaces = dict(Namespace.objects.values_list("name", "pk"))

    def resolve(namespace: str, owner_id: str) -> Scope:
        if not namespace:
            raise InvalidInput("The line names no namespace.", field="namespace")
        if namespace not in spaces:
            raise NotFound("There is no such namespace.")
        rows = Owner.objects.filter(external_id=owner_id).values_list("pk", flat=True)
        return Scope(rows.first() or 0, owner_id, (spaces[namespace],))

    return resolve
