from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_core import foreign_json
from memory_core.erasure.certificate import check
from memory_core.keys import signing
from memory_core.management.output import add_json_option, show


class Command(BaseCommand):
    help = "certificate verify --file FILE [--key KEY] | key: works without a database."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=["verify", "key"])
        parser.add_argument("--file", help="the certificate, JSON")
        parser.add_argument(
            "--key",
            default="",
            help="PEM file or hex of the issuer's key; without it this installation's",
        )
        add_json_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["verb"] == "key":
            show(self, _own_key(), as_json=options["json"])
            return
        if not options["file"]:
            raise CommandError("verify needs --file")
        verdict = check(_document(options["file"]), key=_key(options["key"]))
        answer = {
            "genuine": verdict.is_genuine,
            "problem": verdict.problem,
            "key_fingerprint": verdict.fingerprint,
        }
        show(self, answer, as_json=options["json"])
        if not verdict.is_genuine:
            raise CommandError(f"the certificate does not hold: {verdict.problem}")


def _own_key() -> dict[str, str]:
    key = signing.public_key()
    return {
        "pem": signing.public_key_pem(),
        "hex": key.hex(),
        "fingerprint": signing.fingerprint(key),
    }


def _document(name: str) -> object:
    try:
        return foreign_json.loads(Path(name).read_bytes())
    except ValueError as error:
        raise CommandError("the file is not JSON") from error
    except OSError as error:
        raise CommandError(f"the file cannot be read: {error.strerror}") from error


def _key(given: str) -> bytes:
    if not given:
        return signing.public_key()
    try:
        if Path(given).is_file():
            return signing.from_pem(Path(given).read_bytes())
        return bytes.fromhex(given)
    except ValueError as error:
        raise CommandError("--key is neither a PEM file nor hex") from error
