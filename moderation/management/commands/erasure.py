import time
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory_core.actions import erasure, lifting
from memory_core.contracts.callers import OPERATOR, Actor
from memory_core.contracts.erasure import Identifier, IdentifierKind, RunState
from memory_core.erasure import purging, running
from memory_core.exceptions import MnemeError
from memory_core.management.output import add_json_option, show
from memory_core.models import ErasureRun
from moderation.actions import (
    erasure_cases,
    erasure_decisions,
    erasure_identity,
    erasure_progress,
)
from moderation.actions.erasure_cases import Intake
from moderation.models import ErasureCase
from moderation.permissions import Permission, permissions_of

WAIT_SECONDS = 600
PAUSE_SECONDS = 1.0


class Command(BaseCommand):
    help = (
        "erasure run: a request by two people, erased at once | "
        "erasure lift: let an erased person in again, by two people | "
        "erasure rewrite: write the tables anew after an erasure, which locks them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        run = verbs.add_parser("run")
        run.add_argument("--name", action="append", default=[])
        run.add_argument("--ground", required=True, help="for example 17-1-b")
        run.add_argument(
            "--identity",
            default=ErasureCase.IdentityMethod.ACCOUNT,
            choices=ErasureCase.IdentityMethod.values,
            help="how it is known that the person asks",
        )
        run.add_argument(
            "--redact-mentions",
            action="store_true",
            help="redact the person in other people's memories",
        )
        lift = verbs.add_parser("lift")
        lift.add_argument("--reason", required=True, help="a code: came_back")
        for verb in (run, lift):
            verb.add_argument("--owner", action="append", default=[], metavar="ID")
            verb.add_argument("--email", action="append", default=[])
            verb.add_argument("--phone", action="append", default=[])
            verb.add_argument("--by", required=True, help="who prepares it")
            verb.add_argument("--approve-by", required=True, help="another person")
        rewrite = verbs.add_parser("rewrite")
        rewrite.add_argument("--run", required=True, metavar="REF")
        for verb in (run, lift, rewrite):
            add_json_option(verb)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            answer = VERBS[options["verb"]](options)
        except MnemeError as error:
            raise CommandError(error.detail) from error
        show(self, answer, as_json=options["json"])


def _run(options: dict[str, Any]) -> dict[str, object]:
    preparer, approver = _two_people(options)
    by = Actor(f"{OPERATOR}{preparer.username}")
    ref = _assessed(_identifiers(options), options["identity"], by)
    if options["redact_mentions"]:
        _redact_all(ref, by)
    erasure_decisions.propose_erasure(
        ref=ref,
        ground=options["ground"],
        cool_off_hours=0,
        user=preparer,
        by=by,
        now=timezone.now(),
    )
    approved = Actor(f"{OPERATOR}{approver.username}")
    erasure_decisions.approve(
        ref=ref, code=ref, user=approver, by=approved, now=timezone.now()
    )
    return _erased(ref)


def _assessed(identifiers: tuple[Identifier, ...], identity: str, by: Actor) -> str:
    """Open the request and search; return its ref."""
    intake = Intake(identifiers=identifiers, channel=ErasureCase.Channel.COMMAND)
    ref = erasure_cases.open_case(intake=intake, by=by, now=timezone.now()).ref
    erasure_cases.greet(ref=ref, by=by, now=timezone.now())
    erasure_identity.settle(ref=ref, method=identity, by=by, now=timezone.now())
    erasure_progress.advance(ref=ref, now=timezone.now())
    return ref


def _redact_all(ref: str, by: Actor) -> None:
    case = ErasureCase.objects.get(ref=ref)
    ids = case.mentions.values_list("memory_id", flat=True)
    decided = dict.fromkeys(ids, ("redact", ""))
    erasure_decisions.decide_mentions(
        ref=ref, decided=decided, by=by, now=timezone.now()
    )


def _erased(ref: str) -> dict[str, object]:
    """Work on the request's run until it rests; the service may do so as well."""
    end = time.monotonic() + WAIT_SECONDS
    case = erasure_progress.advance(ref=ref, now=timezone.now())
    if not case.run_ref:
        return {"request": ref, "state": case.state}
    while True:
        run = ErasureRun.objects.get(ref=case.run_ref)
        run = running.work(run.pk, until=end)
        rests = run.state not in (RunState.FENCED, RunState.EXECUTING)
        if (rests and not running.could_go_on(run)) or time.monotonic() > end:
            break
        time.sleep(PAUSE_SECONDS)
    case = erasure_progress.advance(ref=ref, now=timezone.now())
    view = erasure.state(run=run.ref)
    return {
        "request": ref,
        "run": run.ref,
        "state": case.state,
        "erased": sum(one.erased for one in view.passes),
        "redacted": sum(one.redacted for one in view.passes),
        "held": sum(one.held for one in view.passes),
        "residue": sum(one.count for one in view.probes),
        "error": view.error,
    }


def _lift(options: dict[str, Any]) -> dict[str, object]:
    preparer, approver = _two_people(options)
    lifted = lifting.lift_tombstones(
        identifiers=_identifiers(options),
        reason=options["reason"],
        prepared_by=str(preparer.pk),
        approved_by=str(approver.pk),
        by=Actor(f"{OPERATOR}{preparer.username}"),
    )
    return {"lifted": lifted}


def _rewrite(options: dict[str, Any]) -> dict[str, object]:
    run = ErasureRun.objects.filter(ref=options["run"]).first()
    if run is None:
        raise CommandError("there is no such run")
    if not purging.purge(run, rewrite=True):
        raise CommandError("somebody still reads what was there; try again")
    return {"run": run.ref, "tables": len(purging.tables())}


def _identifiers(options: dict[str, Any]) -> tuple[Identifier, ...]:
    return tuple(
        Identifier(kind, value)
        for kind in IdentifierKind
        for value in options.get(kind, ())
    )


def _two_people(options: dict[str, Any]) -> tuple[User, User]:
    """Return who prepares and who approves; nobody does both."""
    preparer, approver = _person(options["by"]), _person(options["approve_by"])
    if preparer == approver:
        raise CommandError("another person has to approve")
    return preparer, approver


def _person(username: str) -> User:
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None or Permission.HANDLE_REQUESTS not in permissions_of(user):
        raise CommandError(f"{username!r} may not handle requests")
    return user


VERBS = {"run": _run, "lift": _lift, "rewrite": _rewrite}
