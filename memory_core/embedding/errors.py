"""Why there is no vector."""


class EmbedderUnavailable(Exception):
    """The embedder cannot answer now, or at all with this configuration.

    `code` is stable: `embedder_unknown` (no such spec), `embedder_missing` (package,
    model file or setting is not there), `embedder_timeout`, `embedder_unreachable`,
    `embedder_refused` (the endpoint says no), `embedder_garbled` (it answers nonsense).
    `transient` says whether trying again later may help; `retry_after` is in seconds,
    if the endpoint named a time. No text of a memory is in it.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        transient: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.transient = transient
        self.retry_after = retry_after
