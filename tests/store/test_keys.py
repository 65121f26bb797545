"""The master key's file, the data keys, and rotation."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.store import child, worlds
from tests.store.conftest import Opener

from heartrule.store import Store, master
from heartrule.store.engines import open_engines, sqlite_url
from heartrule.store.keys import BATCH, Keyring
from heartrule.store.master import MasterKeyRefused
from heartrule.store.migrate import migrate
from heartrule.store.records import Gone
from heartrule.store.schema import persons

STEPS = ("both keys written", "new key current", "some keys wrapped", "all keys wrapped", "old key dropped")
WORDS = "只有我自己知道的一句话"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def fill(store: Store, *names: str) -> None:
    async def run() -> None:
        for name in names:
            await worlds.session(store, name, await store.new_person(f"subject {name}"))
            await worlds.talk(store, name, 1, WORDS)

    asyncio.run(run())


def readable(store: Store, *names: str) -> None:
    async def run() -> None:
        for name in names:
            assert worlds.texts(await store.messages(name))[0] == WORDS
            assert await store.person_of_subject(f"subject {name}") is not None

    asyncio.run(run())


def file_keys(folder: Path) -> list[str]:
    keys = master.read(folder / master.FILE)
    assert keys is not None
    return [key.id for key in keys]


def test_the_first_start_makes_everything_for_its_user_only(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with Store.open(folder) as store:
        fill(store, "s1")
        assert mode(folder) == 0o700
        assert {path.name for path in folder.iterdir()} >= {"heartrule.db", "keys.db", "master.key"}
        for path in folder.iterdir():
            assert mode(path) & 0o077 == 0, path.name
    assert mode(folder / "master.key") == 0o600


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o660, 0o644, 0o620])
def test_a_master_key_others_can_reach_is_refused(tmp_path: Path, bits: int) -> None:
    Store.open(tmp_path).close()
    (tmp_path / "master.key").chmod(bits)
    with pytest.raises(MasterKeyRefused, match=r"can be read by others.*chmod 600"):
        Store.open(tmp_path)
    (tmp_path / "master.key").chmod(0o600)
    Store.open(tmp_path).close()


def test_a_missing_master_key_is_never_replaced_by_a_new_one(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        fill(store, "s1")
    kept = (tmp_path / "master.key").rename(tmp_path / "elsewhere")
    with pytest.raises(MasterKeyRefused, match="is missing"):
        Store.open(tmp_path)
    assert not (tmp_path / "master.key").exists()
    kept.rename(tmp_path / "master.key")
    with Store.open(tmp_path) as store:
        readable(store, "s1")


def test_a_master_key_of_other_data_is_refused(tmp_path: Path) -> None:
    for name in ("one", "other"):
        Store.open(tmp_path / name).close()
    (tmp_path / "one" / "master.key").replace(tmp_path / "other" / "master.key")
    with pytest.raises(MasterKeyRefused, match="not the key this data was written with"):
        Store.open(tmp_path / "other")


@pytest.mark.parametrize(
    "text", ["", "\n", "nonsense", "0123456789abcdef short", "x" * 16 + " " + "!" * 44, "\xff\xfe"]
)
def test_a_damaged_master_key_is_refused(tmp_path: Path, text: str) -> None:
    Store.open(tmp_path).close()
    (tmp_path / "master.key").write_text(text, encoding="latin-1")
    with pytest.raises(MasterKeyRefused, match="Put the right file back"):
        Store.open(tmp_path)


def test_the_key_itself_is_never_shown(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    keys = master.read(tmp_path / "master.key")
    assert keys is not None
    assert "key=" not in repr(keys)


def test_every_person_has_a_key_of_their_own(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        fill(store, "s1", "s2")
    engines = open_engines(sqlite_url(tmp_path / "keys.db"))
    with engines.reader.connect() as connection:
        rows = connection.exec_driver_sql("SELECT id, person, wrapped FROM data_keys").all()
    engines.dispose()
    assert len({row.id for row in rows}) == len({row.person for row in rows}) == 3  # and that of the subjects
    assert all(len(row.wrapped) == 12 + 32 + 16 for row in rows)


def test_few_keys_in_memory_are_enough(tmp_path: Path) -> None:
    names = [f"s{n}" for n in range(9)]
    with Store.open(tmp_path, cached_keys=2) as store:
        fill(store, *names)
        for _ in range(2):
            readable(store, *names)


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    engines = open_engines(sqlite_url(tmp_path / "keys.db"), synchronous="OFF")
    migrate(engines, "keys")
    return Keyring(engines, tmp_path / "master.key", cached=3)


def test_the_cache_is_bounded_and_gives_the_same_box(keyring: Keyring) -> None:
    boxes = {name: keyring.create(name) for name in "abcdef"}
    assert len(keyring._boxes) == 3
    assert keyring.box("f") is boxes["f"]
    again = keyring.box("a")
    assert again is not boxes["a"]
    assert again.open(boxes["a"].seal(b"text", b"here"), b"here") == b"text"
    assert set(keyring._boxes) == {"e", "f", "a"}


def test_a_key_moved_to_another_person_does_not_open(keyring: Keyring) -> None:
    keyring.create("a")
    keyring.create("b")
    keyring._boxes.clear()
    with keyring._engines.writer.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE data_keys SET wrapped = (SELECT wrapped FROM data_keys WHERE person = 'a') WHERE person = 'b'"
        )
    with pytest.raises(Exception, match="belongs to another person"):
        keyring.box("b")


def test_a_destroyed_key_is_gone_from_the_files(keyring: Keyring, tmp_path: Path) -> None:
    keyring.create("a")
    with keyring._engines.reader.connect() as connection:
        wrapped = connection.exec_driver_sql("SELECT wrapped FROM data_keys WHERE person = 'a'").scalar_one()
    assert any(wrapped in path.read_bytes() for path in tmp_path.iterdir())
    keyring.destroy("a")
    assert not any(wrapped in path.read_bytes() for path in tmp_path.iterdir())
    with pytest.raises(Gone):
        keyring.box("a")


def test_rotation_changes_the_master_key_and_nothing_that_was_said(opener: Opener, tmp_path: Path) -> None:
    store = opener()
    fill(store, "s1", "s2")
    before = file_keys(tmp_path)
    assert asyncio.run(store.rotate_keys()) == 3
    after = file_keys(tmp_path)
    assert len(after) == 1
    assert after != before
    assert mode(tmp_path / "master.key") == 0o600
    readable(store, "s1", "s2")
    fill(store, "s3")
    readable(opener(), "s1", "s2", "s3")


def test_a_rotation_needs_nobody_to_stop(opener: Opener, tmp_path: Path) -> None:
    """Another process goes on reading, writing and adding persons under the key it had read at its start."""
    one, other = opener(), opener()
    fill(one, "s1")
    readable(other, "s1")
    for number in range(3):
        asyncio.run(one.rotate_keys())
        fill(other, f"new {number}")
        readable(one, "s1", f"new {number}")
    readable(opener(), "s1", "new 0", "new 1", "new 2")


def test_two_rotations_at_once_lose_nothing(opener: Opener, tmp_path: Path) -> None:
    one, other = opener(), opener()
    fill(one, "s1", "s2", "s3")

    async def both() -> None:
        await asyncio.gather(one.rotate_keys(), other.rotate_keys(), return_exceptions=True)

    for _ in range(5):
        asyncio.run(both())
    asyncio.run(one.rotate_keys())
    assert len(file_keys(tmp_path)) == 1
    readable(opener(), "s1", "s2", "s3")


def test_many_keys_are_wrapped_in_steps(keyring: Keyring) -> None:
    names = [f"p{n}" for n in range(BATCH + 5)]
    boxes = [keyring.create(name) for name in names[:3]]
    engine = keyring._engines.writer
    with engine.begin() as connection:
        row = connection.exec_driver_sql("SELECT master FROM data_keys LIMIT 1").one()
        current = next(key for key in keyring._masters if key.id == row.master)
        for name in names[3:]:
            key_id = name.encode().hex().rjust(16, "0")
            wrapped = current.wrap(bytes(32), key_id, name)
            connection.exec_driver_sql(
                "INSERT INTO data_keys VALUES (?, ?, ?, ?, ?)",
                (key_id, name, current.id, "2025-01-01 00:00:00.000000", wrapped),
            )
    steps: list[str] = []
    assert keyring.rotate(steps.append) == len(names)
    assert steps.count("some keys wrapped") == 2
    keyring._boxes.clear()
    assert [keyring.box(name).key_id for name in names[:3]] == [box.key_id for box in boxes]
    keyring.box(names[-1])


KILLED = """
folder, last = sys.argv[1:]
store = Store.open(folder)

def reached(step):
    if step == last:
        die()

store._db.keys.rotate(reached)
"""


@pytest.mark.parametrize("step", STEPS)
def test_a_rotation_killed_at_any_step_leaves_all_readable(tmp_path: Path, step: str) -> None:
    with Store.open(tmp_path) as store:
        fill(store, "s1", "s2")
    before = file_keys(tmp_path)
    child.run(KILLED, str(tmp_path), step, dies=True)
    between = file_keys(tmp_path)
    assert len(between) == (1 if step == STEPS[-1] else 2)
    with Store.open(tmp_path) as store:
        readable(store, "s1", "s2")
        fill(store, "s3")
    with Store.open(tmp_path) as store:
        assert asyncio.run(store.rotate_keys()) == 4
        readable(store, "s1", "s2", "s3")
    after = file_keys(tmp_path)
    assert len(after) == 1
    assert after != before
    if step != STEPS[-1]:
        assert after == between[:1]  # finished, not begun anew
    with Store.open(tmp_path) as store:
        readable(store, "s1", "s2", "s3")


def test_after_a_rotation_the_old_key_opens_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        fill(store, "s1")
    old = (tmp_path / "master.key").read_bytes()
    with Store.open(tmp_path) as store:
        asyncio.run(store.rotate_keys())
    (tmp_path / "master.key").write_bytes(old)
    with pytest.raises(MasterKeyRefused):
        Store.open(tmp_path)


def test_keys_may_live_in_another_database(server: object, tmp_path: Path) -> None:
    from tests.store.postgres import Server

    assert isinstance(server, Server)
    main, keys = server.new_database(), server.new_database()
    with Store.open(main, folder=tmp_path, keys=keys) as store:
        fill(store, "s1", "s2")
        asyncio.run(store.rotate_keys())
        readable(store, "s1", "s2")
    assert [path.name for path in tmp_path.iterdir()] == ["master.key"]
    with Store.open(main, folder=tmp_path, keys=keys) as store:
        readable(store, "s1", "s2")
        person = asyncio.run(store.person_of_subject("subject s1"))
        assert person is not None
        asyncio.run(store.erase_person(person))
        readable(store, "s2")


def test_keys_and_data_may_share_a_database(server: object, tmp_path: Path) -> None:
    from tests.store.postgres import Server

    assert isinstance(server, Server)
    url = server.new_database()
    for _ in range(2):
        with Store.open(url, folder=tmp_path, keys=url) as store:
            fill(store, f"s{_}")
            readable(store, "s0")


def test_what_signs_tokens_stands_nowhere_in_the_main_database(store: Store) -> None:
    """Whoever reads it there could sign a counsellor's token; a subject is what somebody else chose."""

    async def run() -> None:
        for subject in ("what signs tokens", "heartrule tokens", "heartrule equality"):
            await store.new_person(subject)
        index = await store._db.aside(store._db.keys.index)
        kept = [index.digest(each.encode()) for each in ("what signs tokens", "heartrule tokens", "")]
        assert await store.token_key() not in kept
        with store._db.engines.reader.connect() as connection:
            digests = [bytes(each) for each in connection.execute(select(persons.c.subject_digest)).scalars()]
        assert len(digests) == 3
        assert await store.token_key() not in digests

    asyncio.run(run())


def test_what_signs_tokens_outlives_a_rotation_and_is_the_same_in_every_process(opener: Opener) -> None:
    async def run() -> None:
        first, second = opener(), opener()
        key = await first.token_key()
        assert len(key) == 32
        assert await second.token_key() == key
        await first.rotate_keys()
        assert await first.token_key() == await opener().token_key() == key

    asyncio.run(run())
