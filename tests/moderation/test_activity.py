"""A page that asks by itself does not keep the session of a person who has left."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

pytestmark = pytest.mark.django_db
HOURS = timedelta(hours=1)
BY_ITSELF = {"HX-Request": "true", "X-Unattended": "1"}
BY_HAND = {"HX-Request": "true"}


def test_an_idle_persons_session_ends_though_a_page_asks_on(signed_in, time_machine):
    client, start = signed_in("admin"), timezone.now()
    time_machine.move_to(start, tick=False)
    assert client.get("/jobs/").status_code == 200
    for hour in range(1, 8):
        time_machine.move_to(start + hour * HOURS, tick=False)
        answer = client.get("/jobs/", headers=BY_ITSELF)
        assert answer.status_code == 200
        assert "sessionid" not in answer.cookies
    assert Session.objects.get().expire_date == start + 8 * HOURS
    time_machine.move_to(start + 8 * HOURS + timedelta(seconds=1), tick=False)
    ended = client.get("/jobs/", headers=BY_ITSELF)
    assert (ended.status_code, ended.content) == (401, b"")
    assert client.get("/jobs/").status_code == 302


@pytest.mark.parametrize("headers", [{}, BY_HAND])
def test_a_person_at_work_stays_signed_in(signed_in, time_machine, headers):
    client, start = signed_in("admin"), timezone.now()
    for hour in range(0, 21, 7):
        time_machine.move_to(start + hour * HOURS, tick=False)
        assert client.get("/jobs/", headers=headers).status_code == 200


def test_a_stranger_gets_no_session(client):
    assert "sessionid" not in client.get("/accounts/login/").cookies
    assert not Session.objects.exists()
