"""Refusals in the words of the console: what happened, and what to do."""

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.exceptions import MnemeError

# By `why`; a sentence may name `detail` and what else the error carries.
WHY: dict[str, str | Promise] = {
    # reviews
    "decided": _("Decided already by %(decided_by)s"),
    "claimed": _("%(claimed_by)s is reviewing it now"),
    "not_waiting": _("It does not wait for a decision any more."),
    "lead_decides": _("It was handed on or is in dispute; a lead decides."),
    "agreed_by_you": _("You would let it in already; a second person must agree."),
    "one_of_two": _("Neither of the two who disagree has the last word."),
    "source_blocked": _("Its source is blocked. Lift that block first, or reject it."),
    "not_by_agent": _("Only what a reviewer agent decided is confirmed."),
    "shown": _(
        "Not let in yet: it contradicts what stands beside it now. Decide again."
    ),
    "not_reviewable": _("Only a current or a rejected memory is sent to review."),
    "no_first_approval": _("No first approval stands that could be taken back."),
    "not_open": _("It does not wait for a reviewer; a lead has it, or it is decided."),
    "own_decision": _("You decided on this first; another person looks again."),
    "not_in_dispute": _("It is settled already, or the two agree."),
    # selections and jobs
    "batch_size": _(
        "Between 1 and 100,000 memories are decided on at once; choose others."
    ),
    "selection_changed": _(
        "The selection has changed: it has %(number)s memories by now."
        " Look at it and decide again."
    ),
    "no_way_back": _("It still runs, or is taken back already."),
    # memories
    "not_current": _("Only a current memory is archived."),
    "not_changeable": _("It cannot be changed any more. Restore it first."),
    "not_retired": _(
        "Only what was replaced, archived or has expired is restored; what was merged"
        " is separated again."
    ),
    "not_merged": _("Nothing is merged into it, nor it into another."),
    "name_taken": _(
        "Another memory has its external id by now. Archive that one first."
    ),
    # sources, agents and tokens
    "not_blocked": _("Block it first."),
    "blocked_already": _("It is blocked already."),
    "too_many_alone": _(
        "So many are taken away by another person than the one who blocked."
    ),
    "token_ended": _("It was revoked or rotated already. Issue another one."),
    "private_name": _(
        "Names like this one belong to the agents' private namespaces. Choose another."
    ),
    "private_namespace": _("A private namespace is not shared. Choose another."),
    "username_taken": _("Somebody has this user name. Choose another."),
    # half-lives
    "own_change": _("You proposed this; another person confirms it."),
    # embedding models
    "change_under_way": _(
        "Another change of the model is under way. Wait for its end, or cancel it."
    ),
    "no_earlier_model": _("No earlier model was kept. Name the model to change to."),
    "model_filling": _("This model is being filled. Cancel the change first."),
    "model_answers": _("This model answers already."),
    "model_in_use": _("This model answers recalls. Change to another one first."),
    "not_full": _("No model is full and waits to be switched to."),
    "no_such_change": _(
        "No change of the model is at that step; somebody else may have moved it."
    ),
    # moving in
    "no_such_namespace": _("There is no such namespace."),
    "needs_namespace": _("Choose the namespace that these memories go to."),
    "undescribed": _("Say first what the file is."),
    "import_not_waiting": _("This import runs already, or is over."),
    "no_such_zone": _("There is no such time zone. Write +08:00 or Asia/Shanghai."),
    "no_such_encoding": _("There is no such encoding. Write gb18030 or latin-1."),
    "bad_mapping": _("The mapping does not fit: %(detail)s"),
    "unreadable": _("The file is not what was said of it: %(detail)s"),
    "no_lines": _("The file has no lines."),
    # deletion requests
    "nobody_named": _("Name the person by at least one identifier."),
    "future_day": _("That day lies in the future."),
    "no_such_request": _(
        "No other open request about this person has that code. Look at the list again."
    ),
    "no_such_step": _(
        "The request has moved on, and this step is not open any more."
        " This is how it is now."
    ),
    "mention_treatment": _("Choose for each memory whether it is redacted or kept."),
    "mention_ground": _("Name the ground of the law on which a memory is kept."),
    "mentions_open": _("Decide first on each memory that mentions the person."),
    "wrong_code": _("Type the code of this request as it stands above."),
    "own_proposal": _("You proposed this; another person has to approve it."),
    "not_empty": _("Something was found. Propose to erase it, or to refuse."),
    "extended_already": _("It was extended or answered already."),
    "no_extension": _("This law knows no extension."),
    "told_late": _(
        "The person must be told between the receipt and the first deadline, and not"
        " in the future."
    ),
    "letter_sent": _("This letter was sent already; its words stay as they were."),
    "letter_day": _("Name a day between the receipt and today."),
    "recipient_name": _("Name the recipient."),
    "recipient_result": _("Choose what came of it, and a day up to today."),
    "restricted_already": _("This person's data is restricted already."),
    "nothing_kept": _("Nothing is kept under these ids that could be restricted."),
    "not_restricted": _("This person's data is not restricted."),
    "erased": _("The erasure has ended; nothing is left to decide."),
    "not_failed": _("Only an erasure that failed is tried again."),
    "released_already": _("This hold was released already."),
    "nothing_to_hold": _("There is nothing of that name."),
}

# By the error's code, for those without a `why`.
ERRORS: dict[str, str | Promise] = {
    "not_found": _("It is not there any more."),
    "version_conflict": _("It was changed since you opened it. This is how it is now."),
    "digest_conflict": _(
        "Its text is another one than you saw. This is how it is now."
    ),
    "transition_refused": _("Its present state does not allow this."),
    "screening_refused": _("The screening refuses this text."),
    "source_blocked": _("Its source is blocked."),
    "token_blocked": _(
        "Its writes are blocked. Lift the block first, or revoke it and issue another."
    ),
    "owner_erased": _("This person was erased."),
    "owner_being_erased": _("This person is being erased."),
    "owner_restricted": _(
        "This person's data is restricted until a request is decided."
    ),
    "legal_hold": _("A legal hold is in force."),
    "approval_refused": _("Another person approves, and types the exact code."),
    "invalid": _("These values do not fit."),
    "embedding_unavailable": _("The embedding model does not answer. Try again later."),
    "service_unavailable": _("A part of the service is down. Try again shortly."),
}


def refuse(form: forms.Form, error: MnemeError) -> None:
    """Note on a form why its values were refused, at the field if it is one's fault."""
    name = str(error.extra.get("field", ""))
    form.add_error(name if name in form.fields else None, refusal(error))


def refusal(error: MnemeError) -> str:
    """Return why something was refused, in the reader's language."""
    said = WHY.get(error.why)
    if said is None:
        return str(ERRORS.get(error.code, error.detail))
    return str(said) % {"detail": error.detail, **error.extra}
