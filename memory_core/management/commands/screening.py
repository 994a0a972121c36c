import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core.actions import rescans
from memory_core.contracts.callers import Actor
from memory_core.management.output import add_json_option, show
from memory_core.screening.classifier import load_classifier
from memory_core.screening.report import (
    judge_rows,
    row_lines,
    summary,
    text_lines,
)
from memory_core.screening.training.rows import read_rows

BY = Actor("command:screening")
ROOM = Path(__file__).resolve().parents[2] / "screening"
KINDS = ["tool_result", "user_input", "inference", "import"]


class Command(BaseCommand):
    help = (
        "screening report: judge labelled JSON lines. "
        "screening rescan: judge stored memories anew by the present rules. "
        "screening train: train the classifier's weights on such lines "
        "(needs scikit-learn)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["report", "rescan", "train"])
        parser.add_argument("--data", type=Path)
        parser.add_argument("--rows", type=Path, help="one verdict a line goes here")
        parser.add_argument("--source-kind", choices=KINDS, default="tool_result")
        parser.add_argument("--tune", type=Path, help="lines that set the thresholds")
        parser.add_argument(
            "--more",
            type=Path,
            action="append",
            default=[],
            help="more labelled lines to train on",
        )
        parser.add_argument(
            "--ordinary",
            type=Path,
            action="append",
            default=[],
            help="more ordinary memories to train on",
        )
        parser.add_argument("--out", type=Path, default=ROOM / "weights")
        parser.add_argument(
            "--words", type=Path, default=ROOM / "data" / "vocabulary.txt"
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "rescan":
            job = rescans.start(by=BY)
            show(
                self, {"job": str(job.pk), "state": job.state}, as_json=options["json"]
            )
            return
        if not options["data"]:
            raise CommandError(f"screening {options['verb']} needs --data")
        if options["verb"] == "train":
            show(self, self._train(options), as_json=options["json"])
            return
        result = self._report(options)
        if options["json"]:
            show(self, result, as_json=True)
        else:
            self.stdout.write("\n".join(text_lines(result)))

    def _report(self, options: dict[str, Any]) -> dict[str, Any]:
        judged = judge_rows(read_rows(options["data"]), options["source_kind"])
        if options["rows"]:
            lines = (json.dumps(line) + "\n" for line in row_lines(judged))
            options["rows"].write_text("".join(lines), encoding="utf-8")
        return summary(judged)

    def _train(self, options: dict[str, Any]) -> dict[str, Any]:
        # scikit-learn is needed for this verb only and not installed in service.
        from memory_core.screening.training.run import train_weights

        model = train_weights(
            [options["data"], *options["more"]],
            tune=options["tune"] or options["data"],
            ordinary=options["ordinary"],
            folder=options["out"],
            words=options["words"],
        )
        return {
            "weights": str(options["out"]),
            "digest": load_classifier(options["out"]).digest,
            "thresholds": {
                language: {"hold": limits.hold, "refuse": limits.refuse}
                for language, limits in model.thresholds.items()
            },
        }
