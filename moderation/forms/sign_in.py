"""Forms that ask for a password: no hints inside, no reset by mail (there is none)."""

from typing import Any

from allauth.account.forms import LoginForm, ReauthenticateForm


class SignInForm(LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _tidy(self)


class ConfirmForm(ReauthenticateForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _tidy(self)


def _tidy(form: Any) -> None:
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
    form.fields["password"].help_text = ""
