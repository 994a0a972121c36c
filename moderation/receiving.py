"""Files are taken from those who may move memories in, and up to a size.

Django reads a form, files included, before a page is asked who may see it.
"""

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

from moderation.permissions import Permission, permissions_of

MOST_BYTES = 1024**3
"""Of all files of a form; the `import` command takes larger ones."""


class Doorkeeper(FileUploadHandler):
    """Stands before the handlers that keep files; keeps nothing itself."""

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.received = 0

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Raise PermissionDenied for whoever may not bring files."""
        super().new_file(*args, **kwargs)
        user = getattr(self.request, "user", None)
        if user is None or Permission.MOVE_MEMORIES not in permissions_of(user):
            raise PermissionDenied

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass a piece on; raises RequestDataTooBig once it is too much."""
        self.received += len(raw_data)
        if self.received > MOST_BYTES:
            raise RequestDataTooBig("The file is too large.")
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the next handler."""
