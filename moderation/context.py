"""What every template of the console gets as `console`."""

from django.http import HttpRequest

from moderation.navigation import visible
from moderation.permissions import permissions_of, roles_of


def console(request: HttpRequest) -> dict[str, object]:
    """Return navigation, roles, rights and the look that this person chose.

    The look alone for the page of a request that was refused before anybody signed in.
    """
    cookies = request.COOKIES
    look = {
        "theme": cookies.get("theme", "system"),
        "density": cookies.get("density", "comfortable"),
        "contrast": cookies.get("contrast", "normal"),
        "keys": cookies.get("keys", "on"),
    }
    if not hasattr(request, "user"):
        return {"console": look}
    rights = permissions_of(request.user)
    return {
        "console": look
        | {
            "navigation": visible(rights, request.path),
            "roles": [role.label for role in roles_of(request.user)],
            "rights": {right.value for right in rights},
            "session_seconds": request.session.get_expiry_age(),
        }
    }
