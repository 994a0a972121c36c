"""Questions to `/chat/completions`, with an end to every wait."""

import time
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import httpx
import orjson
from django.conf import settings

LARGEST_ANSWER = 1024 * 1024
LONGEST_PAUSE = 3600.0
"""Seconds; a server that asks for a longer pause is asked again then all the same."""


class LanguageModelUnavailable(Exception):
    """The endpoint gave no answer; `code` says why.

    `transient` says that it is worth asking again, after `retry_after` seconds if the
    server named them.
    """

    def __init__(
        self,
        code: str,
        *,
        transient: bool = True,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.transient = transient
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A model at an endpoint; `base_url` ends where `/chat/completions` begins.

    `timeout_seconds` is for the whole answer, however slowly it comes.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    timeout_seconds: float = 30.0

    @property
    def name(self) -> str:
        return f"llm:{self.model}"

    def within(self, seconds: float) -> "ChatModel":
        """Return the same model with less patience."""
        return replace(self, timeout_seconds=min(seconds, self.timeout_seconds))

    def ask(self, system: str, user: str) -> str:
        """Return the text of the answer; raises LanguageModelUnavailable."""
        body = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            "temperature": 0,
            "stream": False,
        }
        try:
            answer = orjson.loads(self._post(body))
            content = answer["choices"][0]["message"]["content"]
        except (orjson.JSONDecodeError, KeyError, IndexError, TypeError) as error:
            raise LanguageModelUnavailable("llm_garbled") from error
        if not isinstance(content, str):
            raise LanguageModelUnavailable("llm_garbled")
        return content

    def _post(self, body: dict[str, Any]) -> bytes:
        url = self.base_url.rstrip("/") + "/chat/completions"
        key = self.api_key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        end = time.monotonic() + self.timeout_seconds
        try:
            with _client().stream(
                "POST", url, json=body, headers=headers, timeout=self.timeout_seconds
            ) as response:
                _refuse_failure(response)
                return _read(response, end)
        except httpx.TimeoutException as error:
            raise LanguageModelUnavailable("llm_timeout") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise LanguageModelUnavailable("llm_unreachable") from error


def configured() -> ChatModel | None:
    """Return the model of the settings, None if there is none."""
    if not (settings.LLM_URL and settings.LLM_MODEL):
        return None
    return ChatModel(
        settings.LLM_URL, settings.LLM_MODEL, settings.LLM_KEY, settings.LLM_TIMEOUT
    )


@cache
def _client() -> httpx.Client:
    """One pool of connections a process; redirects are not followed."""
    return httpx.Client()


def _read(response: httpx.Response, end: float) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST_ANSWER:
            raise LanguageModelUnavailable("llm_too_long", transient=False)
        if time.monotonic() > end:
            raise LanguageModelUnavailable("llm_timeout")
    return b"".join(parts)


def _refuse_failure(response: httpx.Response) -> None:
    status = response.status_code
    if status == httpx.codes.OK:
        return
    transient = status == httpx.codes.TOO_MANY_REQUESTS or status >= 500
    asked = response.headers.get("Retry-After", "")
    raise LanguageModelUnavailable(
        f"llm_answered_{status}",
        transient=transient,
        retry_after=min(float(asked), LONGEST_PAUSE) if asked.isdecimal() else None,
    )
