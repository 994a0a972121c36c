import os
import subprocess
import sys

import pytest

from memory_core.keys import tombstones


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.KEYS_DIR = tmp_path
    return tmp_path / "tombstones"


def test_a_digest_names_the_key_it_was_made_with():
    digest = tombstones.current("owner", "ming")
    assert (digest.kid, len(digest.digest)) == ("t1", 32)
    assert digest in tombstones.digests_of("owner", "ming")


def test_kinds_and_installations_have_other_digests(settings):
    owner = tombstones.current("owner", "ming").digest
    assert tombstones.current("name", "ming").digest != owner
    settings.DIGEST_KEY = b"another installation".ljust(32)
    assert tombstones.current("owner", "ming").digest != owner


def test_after_a_rotation_old_tombstones_are_still_found():
    old = tombstones.current("email", "ming@example.com")
    assert tombstones.rotate() == "t2"
    new = tombstones.current("email", "Ming+x@example.com")
    assert new.kid == "t2"
    assert tombstones.digests_of("email", "ming@example.com") == [new, old]


def test_ten_keys_are_in_the_order_of_their_numbers():
    for _ in range(9):
        tombstones.rotate()
    assert tombstones.current_kid() == "t10"


def test_a_rotation_in_another_process_is_seen_at_once(settings, folder):
    assert tombstones.current_kid() == "t1"
    os.utime(folder, (1, 1))
    assert tombstones.current_kid() == "t1"
    code = (
        "from memory_core.config import keys; from pathlib import Path;"
        f"keys.load_or_create(Path({str(folder)!r}), 't2')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert tombstones.current_kid() == "t2"


def test_a_retired_key_is_gone_and_the_newest_stays(folder):
    tombstones.rotate()
    tombstones.retire("t1")
    assert [one.kid for one in tombstones.digests_of("owner", "x")] == ["t2"]
    with pytest.raises(ValueError, match="cannot be retired"):
        tombstones.retire("t2")


def test_keys_may_come_from_the_environment(settings, folder):
    settings.TOMBSTONE_KEYS = [("b", b"2" * 32), ("a", b"1" * 32)]
    assert [one.kid for one in tombstones.digests_of("owner", "x")] == ["b", "a"]
    assert not folder.exists()
    with pytest.raises(ValueError, match="MNEME_TOMBSTONE_KEYS"):
        tombstones.rotate()


def test_an_owner_id_that_is_an_address_is_looked_for_as_both():
    address = tombstones.current("email", "ming@example.com")
    assert address in tombstones.standing_for("Ming@Example.com")
    assert tombstones.current("owner", "Ming@Example.com") in tombstones.standing_for(
        "Ming@Example.com"
    )


def test_key_files_are_for_their_owner_only(folder):
    tombstones.current_kid()
    assert (folder / "t1").stat().st_mode & 0o077 == 0
