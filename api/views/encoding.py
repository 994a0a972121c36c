"""Messages in, memories later."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.parsers import MEBIBYTE
from api.serializers.base import validated
from api.serializers.encoding import EncodeInput
from api.serializers.session_outputs import EncodingOutput
from api.views.base import ApiView
from memory_core.actions.encoding import encode


class Encode(ApiView):
    """Queue messages for the encoder, which keeps what they tell of the user.

    With a configured language model it writes what follows from them; without one
    it keeps the user's explicit statements, unchanged, and follows their requests to
    forget. What it writes goes through the same filters as a save.
    """

    required_scope = "save"
    body_limit = 8 * MEBIBYTE

    @extend_schema(
        operation_id="encode",
        summary="Queue messages to be turned into memories",
        request=EncodeInput,
        responses=documented.answers({202: EncodingOutput}, 409, 410),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["sessions"],
    )
    def post(self, request: Request) -> Response:
        values = validated(EncodeInput, request.data)
        encoding_id = encode(
            by=self.caller,
            owner_id=values["owner_id"],
            messages=[
                (one["role"], one["content"], one.get("at"))
                for one in values["messages"]
            ],
            session_id=values.get("session_id", ""),
            namespace=values.get("namespace", ""),
            once=self.once(),
        )
        return Response({"encoding_id": encoding_id}, status=202)
