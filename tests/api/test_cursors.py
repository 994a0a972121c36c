from uuid import uuid4

import pytest
from rest_framework.exceptions import ValidationError

from api import cursors

LIST = {"owner_id": "u", "category": ("fact",)}


def test_a_cursor_gives_back_the_place_it_was_made_for():
    place = uuid4()
    assert cursors.read(cursors.write(place, bound_to=LIST), bound_to=LIST) == place


def test_a_cursor_of_another_owner_or_filter_is_refused():
    cursor = cursors.write(uuid4(), bound_to=LIST)
    for other in ({**LIST, "owner_id": "v"}, {"owner_id": "u"}):
        with pytest.raises(ValidationError):
            cursors.read(cursor, bound_to=other)


@pytest.mark.parametrize("cursor", ["x", "====", "AAAA", "a\x00b", "ä", "%00" * 40])
def test_a_made_up_cursor_is_refused(cursor: str):
    with pytest.raises(ValidationError):
        cursors.read(cursor, bound_to=LIST)


def test_a_cursor_with_one_changed_letter_is_refused():
    cursor = cursors.write(uuid4(), bound_to=LIST)
    for place in range(len(cursor)):
        letter = "A" if cursor[place] != "A" else "B"
        changed = cursor[:place] + letter + cursor[place + 1 :]
        try:
            read = cursors.read(changed, bound_to=LIST)
        except ValidationError:
            continue
        assert read == cursors.read(cursor, bound_to=LIST)  # unused bits of the end
