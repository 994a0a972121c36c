"""Secrets are refused or redacted; words about secrets are not secrets."""

import pytest

from memory_core.contracts.screening import Provenance
from memory_core.screening import redact_secrets, screen
from memory_core.screening.secrets import find_secrets

KEY_BODY = "Zm9vYmFyYmF6cXV4" * 4
SECRETS = [
    ("aws_key", "aws key AKIA" + "IOSFODNN7QXAMPLE"),
    ("github_token", "token ghp_" + "9fK2mQ7sXb4LzT0vWnR6yUcE1hJpD8aG3iOx"),
    ("openai_key", "use sk-" + "proj-9fK2mQ7sXb4LzT0vWnR6yUcE1hJpD8aG"),
    ("anthropic_key", "sk-ant-" + "api03-9fK2mQ7sXb4LzT0vWnR6"),
    ("slack_token", "xoxb-" + "1234567890-abcdefghij"),
    ("google_key", "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"),
    ("mneme_token", "mnm_" + "9fK2mQ7sXb4LzT0vWnR6yUcE1hJpD8aG3iOx12"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w"),
    ("url_password", "postgres://app:s3cr3tpw@db.example/app"),
    ("password", "My password is hunter2x!"),
    ("password", "后台密码是 Winter@2026"),
    ("password", "密码：abc12345"),
    ("assignment", "DB_PASSWORD=correct-horse-9"),
    ("assignment", 'api_key: "a8f5f167f44f4964e6c998dee827110c"'),
    (
        "private_key",
        f"-----BEGIN PRIVATE KEY-----\n{KEY_BODY}\n-----END PRIVATE KEY-----",
    ),
]


@pytest.mark.parametrize(("kind", "text"), SECRETS)
@pytest.mark.parametrize("trust", ["trusted", "normal"])
def test_a_secret_is_refused_whoever_says_it(kind: str, text: str, trust: str) -> None:
    verdict = screen({"content": text}, Provenance("user_input", trust))  # type: ignore[arg-type]
    assert verdict.outcome == "refuse"
    assert f"secret:{kind}" in verdict.tags


@pytest.mark.parametrize(("kind", "text"), SECRETS)
def test_redaction_leaves_no_secret(kind: str, text: str) -> None:
    redaction = redact_secrets(text)
    assert kind in redaction.kinds
    assert list(find_secrets(redaction.text)) == []


def test_redaction_keeps_the_rest_of_the_text() -> None:
    text = "Log in with AKIA" + "IOSFODNN7QXAMPLE and then call Ann."
    assert (
        redact_secrets(text).text == "Log in with [redacted:aws_key] and then call Ann."
    )


@pytest.mark.parametrize(
    "text",
    [
        "密码只放在密码管理器里",
        "忘记密码时请走官网重置",
        "The password is required for login.",
        "My password is strong and long.",
        "The password hint is a uuid: 7f1e5a0c-9c1d-4f5a-8c2e-0b2f9d1e7a11",
        "token limits were raised in version 3",
        "secret: she likes him",
        "the api key expires in May",
        "sha256 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        "task-management-and-planning-for-beginners",
        "验证码不要告诉别人",
        "http://example.org:8080/path",
    ],
)
def test_words_about_secrets_are_no_secret(text: str) -> None:
    assert list(find_secrets(text)) == []
