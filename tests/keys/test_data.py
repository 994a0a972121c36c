import threading

import pytest

from memory_core.keys import data
from memory_core.keys.data import KeyDestroyed, NotSealed

SECRET = "我对花生过敏".encode()


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.KEYS_DIR = tmp_path
    return tmp_path / "data"


def test_what_is_sealed_can_be_read_until_the_key_is_destroyed():
    sealed = data.seal("owner:ming", SECRET)
    assert SECRET not in sealed
    assert data.unseal("owner:ming", sealed) == SECRET
    kid = data.data_key("owner:ming").kid
    assert data.destroy("owner:ming") == kid
    with pytest.raises(KeyDestroyed):
        data.unseal("owner:ming", sealed)


def test_the_same_text_is_sealed_differently_each_time():
    assert data.seal("owner:ming", SECRET) != data.seal("owner:ming", SECRET)


def test_other_peoples_keys_open_nothing():
    sealed = data.seal("owner:ming", SECRET)
    data.data_key("owner:hong")
    with pytest.raises(KeyDestroyed):
        data.unseal("owner:hong", sealed)


@pytest.mark.parametrize("place", [0, 12, -1])
def test_changed_bytes_are_refused(place):
    sealed = bytearray(data.seal("owner:ming", SECRET))
    sealed[place] ^= 1
    with pytest.raises(NotSealed):
        data.unseal("owner:ming", bytes(sealed))


def test_a_destroyed_key_is_not_made_again_by_itself():
    assert data.destroy("owner:gone") == ""
    assert data.is_destroyed("owner:gone")
    with pytest.raises(KeyDestroyed):
        data.seal("owner:gone", SECRET)
    data.renew("owner:gone")
    assert data.unseal("owner:gone", data.seal("owner:gone", SECRET)) == SECRET


def test_a_new_key_does_not_open_what_the_old_one_closed():
    sealed = data.seal("owner:ming", SECRET)
    data.destroy("owner:ming")
    data.renew("owner:ming")
    data.data_key("owner:ming")
    with pytest.raises(KeyDestroyed):
        data.unseal("owner:ming", sealed)


def test_destroying_twice_names_the_same_key():
    data.data_key("owner:ming")
    assert data.destroy("owner:ming") == data.destroy("owner:ming") != ""


def test_nothing_of_the_key_stays_in_the_file_or_its_old_bytes(folder):
    data.data_key("owner:ming")
    (path,) = [one for one in folder.rglob("*") if one.is_file()]
    key = path.read_bytes()
    with path.open("rb") as old:
        data.destroy("owner:ming")
        assert old.read() == b"\x00" * len(key)
    assert not [one for one in folder.rglob("*") if one.is_file() and one != path]


def test_file_names_tell_nobody_who_it_is(folder):
    data.data_key("owner:ming")
    assert not list(folder.rglob("*ming*"))


def test_threads_that_begin_together_get_one_key():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(data.data_key("owner:x")))
        for _ in range(8)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(set(found)) == 1
