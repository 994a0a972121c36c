"""The write filter: every text of a write in, one verdict out."""

from collections.abc import Iterator, Mapping

from memory_core.contracts.screening import Provenance, Signal, Verdict, strictest
from memory_core.screening.canonical import canonical, unfolded
from memory_core.screening.classifier import classifier, rules_version
from memory_core.screening.fields import TooDeep, joined, texts_of
from memory_core.screening.hidden import find_hidden
from memory_core.screening.judge import Finding, judge_views, strongest
from memory_core.screening.personal import personal_kinds
from memory_core.screening.policy import outcome_for
from memory_core.screening.secrets import find_secrets
from memory_core.screening.sensitive import sensitive_kinds
from memory_core.screening.views import views_of

MAX_CHARACTERS = 64_000  # of one text are read in full; a longer one is held
MOST_GROWTH = 2  # times its length; one sign may stand for eighteen letters
SMALL = 200  # characters to which any text may grow
LEAK = "secret."
_JOINED = "joined"

Heard = dict[str, tuple[list[Finding], set[str]]]
"""What is found in short texts, and their windows: a source's name recurs."""


def screen(
    fields: Mapping[str, object], provenance: Provenance, heard: Heard | None = None
) -> Verdict:
    """Return the verdict on one write.

    `fields` maps names to strings, lists or nested mappings: content, subject,
    entities, tags, metadata, source name, external id, session id. All of them are
    judged, mapping keys too, one by one and joined. Writes that are screened one after
    the other may share what was `heard`: it spares time and changes no verdict.
    """
    try:
        texts = texts_of(fields)
    except TooDeep:
        signal = Signal("structure.depth", 1.0, 1.0, "refuse", "metadata")
        return Verdict("refuse", (signal,), rules_version())
    signals = [*_degraded(provenance), *_signals(texts, provenance, heard)]
    outcome = strictest(*(signal.outcome for signal in signals))
    tags = {tag for _, text in texts for tag in _tags(text)}
    secrets = {s.rule.replace(".", ":", 1) for s in signals if s.rule.startswith(LEAK)}
    return Verdict(
        outcome, tuple(signals), rules_version(), tuple(sorted(tags | secrets))
    )


def findings(text: str, seen: set[str] | None = None) -> Iterator[Finding]:
    """Yield what the filter finds in one raw text, before provenance.

    Windows in `seen` were judged in another field of the same write.
    """
    if len(text) > MAX_CHARACTERS:
        yield Finding("budget.size", float(len(text)), float(MAX_CHARACTERS), "hold")
        text = _ends(text)
    bounded = _bounded(text)
    if bounded is not text:
        yield Finding("budget.growth", float(MOST_GROWTH), float(MOST_GROWTH), "hold")
        text = bounded
    for rule in find_hidden(text):
        yield Finding(rule, 1.0, 1.0, "hold")
    for secret in find_secrets(text):
        yield Finding(f"{LEAK}{secret.kind}", 1.0, 1.0, "refuse")
    yield from judge_views(views_of(text), set() if seen is None else seen)


def _signals(
    texts: list[tuple[str, str]], provenance: Provenance, heard: Heard | None
) -> Iterator[Signal]:
    judged = texts if len(texts) == 1 else [*texts, (_JOINED, joined(texts))]
    seen: set[str] = set()
    for path, text in judged:
        for found in _found(text, seen, heard):
            margin = found.value - found.threshold
            outcome = outcome_for(found.rule, found.outcome, provenance, margin=margin)
            yield Signal(found.rule, found.value, found.threshold, outcome, path)


def _found(text: str, seen: set[str], heard: Heard | None) -> list[Finding]:
    if heard is None or len(text) > SMALL:
        return strongest(findings(text, seen))
    if text not in heard:
        own: set[str] = set()
        heard[text] = strongest(findings(text, own)), own
    found, windows = heard[text]
    if not windows.isdisjoint(seen):
        return strongest(findings(text, seen))
    seen |= windows
    return found


def _degraded(provenance: Provenance) -> Iterator[Signal]:
    """Yield a hold for every untrusted write while the classifier is missing."""
    if classifier() is None and not provenance.is_trusted_user:
        yield Signal("model.missing", 1.0, 1.0, "hold", "content")


def _tags(text: str) -> Iterator[str]:
    """Yield what the read check needs to know about a text, but for secrets."""
    text = _ends(text)
    for kind in personal_kinds(text):
        yield f"pii:{kind}"
    for kind in sensitive_kinds(canonical(_bounded(text))):
        yield f"sensitive_action:{kind}"


def _bounded(text: str) -> str:
    """Return the text itself, or if it says far more than it is long, the start."""
    written_out, most = unfolded(text), max(MOST_GROWTH * len(text), SMALL)
    return text if len(written_out) <= most else written_out[:most]


def _ends(text: str) -> str:
    """Return the text, of a very long one the two ends."""
    half = MAX_CHARACTERS // 2
    return text if len(text) <= MAX_CHARACTERS else text[:half] + text[-half:]
