"""How our own serializers and fields appear in the OpenAPI document."""

from typing import Any

from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
    OpenApiSerializerFieldExtension,
)

Schema = dict[str, Any]
TOKEN = "token"  # noqa: S105


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A bearer token."""

    target_class = "api.authentication.TokenAuthentication"
    name = TOKEN

    def get_security_definition(self, auto_schema: Any) -> Schema:
        """Return the security scheme object."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "mnm_..."}


class InputScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Inputs take no other fields than theirs."""

    target_class = "api.serializers.base.Input"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Schema:
        """Return the usual object, closed."""
        usual = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        return {**usual, "additionalProperties": False}


class OneOrManyScheme(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A word or a list of words; in a query string the parameter is repeated."""

    target_class = "api.serializers.fields.OneOrMany"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> Schema:
        """Return the schema of the word, of the list, or of both."""
        one = auto_schema._map_serializer_field(self.target.many.child, direction)
        many = auto_schema._map_serializer_field(self.target.many, direction)
        return many if self.target.in_query else {"oneOf": [one, many]}
