"""The master key's file on its own."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.store import child, worlds

from heartrule.store import Store, master
from heartrule.store.crypto import KEY_BYTES, Unreadable
from heartrule.store.master import MasterKey, MasterKeyRefused


def test_no_file_is_no_key(tmp_path: Path) -> None:
    assert master.read(tmp_path / "master.key") is None


def test_what_is_made_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    made = master.create(path)
    assert len(made) == 1
    assert len(made[0].key) == KEY_BYTES
    assert master.read(path) == made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_making_it_again_keeps_the_first(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    assert master.create(path) == master.create(path)


def test_no_draft_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    first = master.create(path)
    master.create(path)
    master.replace(path, (MasterKey.new(), *first))
    assert [one.name for one in tmp_path.iterdir()] == ["master.key"]


def test_of_many_who_make_it_at_once_all_get_the_same(tmp_path: Path) -> None:
    path, ready = tmp_path / "master.key", threading.Barrier(8)

    def make(_: int) -> tuple[MasterKey, ...]:
        ready.wait()
        return master.create(path)

    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(make, range(8)))
    assert len(made) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["master.key"]


def test_several_keys_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    keys = tuple(MasterKey.new() for _ in range(3))
    master.replace(path, keys)
    assert master.read(path) == keys
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_wide_umask_does_not_open_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store.open(tmp_path / "data") as store:
            asyncio.run(worlds.session(store))
            for path in (tmp_path / "data").iterdir():
                assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path.name
    finally:
        os.umask(before)


def test_blank_lines_and_spaces_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    made = master.create(path)
    path.write_text("\n  " + path.read_text().replace(" ", "   ") + "\n\n")
    assert master.read(path) == made


def test_the_refusal_says_what_to_type(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    master.create(path)
    path.chmod(0o644)
    with pytest.raises(MasterKeyRefused) as caught:
        master.read(path)
    assert str(caught.value) == (
        f"{path} can be read by others (its mode is 644). Make it yours alone with: chmod 600 {path}"
    )


def test_a_damaged_file_is_not_quoted(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    secret = master.create(path)[0]
    path.write_text(path.read_text().replace(" ", " planted "))
    with pytest.raises(MasterKeyRefused) as caught:
        master.read(path)
    assert "planted" not in str(caught.value)
    assert secret.id not in str(caught.value)


def test_a_wrapped_key_opens_for_its_own_place_only() -> None:
    key, other = MasterKey.new(), MasterKey.new()
    wrapped = key.wrap(b"k" * KEY_BYTES, "id", "person")
    assert key.unwrap(wrapped, "id", "person") == b"k" * KEY_BYTES
    for opener, key_id, person in ((other, "id", "person"), (key, "di", "person"), (key, "id", "other")):
        with pytest.raises(Unreadable):
            opener.unwrap(wrapped, key_id, person)
    assert key.wrap(b"k" * KEY_BYTES, "id", "person") != wrapped


KILLED = """
from pathlib import Path
from heartrule.store import master

real = getattr(os, sys.argv[2])
def dying(*arguments, **named):
    if sys.argv[3] == "before":
        die()
    real(*arguments, **named)
    die()
setattr(os, sys.argv[2], dying)
path = Path(sys.argv[1])
if path.exists():
    master.replace(path, (master.MasterKey.new(), *master.read(path)))
else:
    master.create(path)
"""


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(("call", "exists"), [("link", False), ("fsync", False), ("replace", True), ("fsync", True)])
def test_killed_while_it_is_written_there_is_the_old_or_the_new(
    tmp_path: Path, call: str, exists: bool, moment: str
) -> None:
    path = tmp_path / "master.key"
    before = master.create(path) if exists else None
    child.run(KILLED, str(path), call, moment, dies=True)
    after = master.read(path)
    if exists:
        assert before is not None
        assert after is not None
        assert after[-1:] == before
        assert len(after) == (2 if (call, moment) == ("replace", "after") else 1)
    else:
        assert (after is None) == ((call, moment) != ("link", "after"))
        assert len(master.create(path)) == 1


ROTATING = """
folder = sys.argv[1]
with Store.open(folder) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(5):
        asyncio.run(store.rotate_keys())
"""
ADDING = """
folder = sys.argv[1]
with Store.open(folder) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(40):
        person = asyncio.run(store.new_person(f"{sys.argv[2]} {number}"))
        asyncio.run(worlds.session(store, person, person))
        asyncio.run(worlds.talk(store, person, 1, "你好"))
"""


def test_people_come_in_while_another_process_rotates(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    processes = [
        child.start(ROTATING, str(tmp_path)),
        *(child.start(ADDING, str(tmp_path), name) for name in ("one", "two")),
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err

    async def run() -> None:
        with Store.open(tmp_path) as store:
            for name in ("one", "two"):
                for number in range(40):
                    person = await store.person_of_subject(f"{name} {number}")
                    assert person is not None
                    assert worlds.texts(await store.messages(person))[0] == "你好"

    asyncio.run(run())
    keys = master.read(tmp_path / "master.key")
    assert keys is not None
    assert len(keys) == 1
