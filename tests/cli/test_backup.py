"""Copies of what is kept, and back: while somebody writes, without keys, after an erasure, and what is refused."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from tests.cli.command import LINES, Command

from heartrule.store import Store

SECRET = "小林"


def held(command: Command) -> None:
    ran = command("chat", "hello.yaml", lines=LINES)
    assert ran.returncode == 0, ran.stderr


def transcript(command: Command, folder: Path) -> str:
    """What an export of the session at ``folder`` says; empty where there is none."""
    there = Command(command.folder, {"HEARTRULE_DATA": str(folder)})
    with sqlite3.connect(folder / "heartrule.db") as read:
        sessions = [row[0] for row in read.execute("SELECT id FROM sessions")]
    ran = [there("chat", "--resume", each, lines=["/vars", "/quit"]) for each in sessions]
    return "".join(each.stdout + each.stderr for each in ran)


def copies(folder: Path) -> list[Path]:
    return sorted(folder.glob("heartrule-*.db"))


def test_what_is_kept_comes_back_with_its_keys(heartrule: Command, tmp_path: Path) -> None:
    ran = heartrule("chat", "hello.yaml", lines=[SECRET])
    ran = heartrule("backup", "--to", str(tmp_path / "copies"), "--keys", str(tmp_path / "keys"))
    assert ran.returncode == 0, ran.stderr
    (copy,) = copies(tmp_path / "copies")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not list((tmp_path / "copies").glob("*key*"))
    fresh = tmp_path / "elsewhere"
    ran = heartrule("restore", str(copy), "--keys", str(tmp_path / "keys"), "--data", str(fresh))
    assert ran.returncode == 0, ran.stderr
    assert SECRET in transcript(heartrule, fresh)


def test_a_copy_alone_opens_nothing(heartrule: Command, tmp_path: Path) -> None:
    held(heartrule)
    heartrule("backup", "--to", str(tmp_path / "copies"))
    (copy,) = copies(tmp_path / "copies")
    assert SECRET.encode() not in copy.read_bytes()
    fresh = tmp_path / "elsewhere"
    assert heartrule("restore", str(copy), "--data", str(fresh)).returncode == 0
    assert SECRET not in transcript(heartrule, fresh)


def test_who_was_erased_stays_gone_in_an_older_copy(heartrule: Command, tmp_path: Path) -> None:
    held(heartrule)
    heartrule("backup", "--to", str(tmp_path / "copies"))
    (copy,) = copies(tmp_path / "copies")
    with Store.open(heartrule.data, synchronous="OFF") as store:

        async def erase() -> None:
            with sqlite3.connect(heartrule.data / "heartrule.db") as read:
                (person,) = read.execute("SELECT id FROM persons").fetchone()
            await store.erase_person(person)

        asyncio.run(erase())
    heartrule("backup", "--to", str(tmp_path / "later"), "--keys", str(tmp_path / "keys"))
    fresh = tmp_path / "elsewhere"
    assert heartrule("restore", str(copy), "--keys", str(tmp_path / "keys"), "--data", str(fresh)).returncode == 0
    assert SECRET not in transcript(heartrule, fresh)


def test_it_is_copied_while_somebody_writes(heartrule: Command, tmp_path: Path) -> None:
    held(heartrule)
    with Store.open(heartrule.data, synchronous="OFF") as store:
        asyncio.run(store.new_person())
        assert heartrule("backup", "--to", str(tmp_path / "copies")).returncode == 0
    with sqlite3.connect(copies(tmp_path / "copies")[0]) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert copy.execute("SELECT count(*) FROM persons").fetchone() == (2,)


def test_only_the_newest_are_kept(heartrule: Command, tmp_path: Path) -> None:
    held(heartrule)
    folder = tmp_path / "copies"
    folder.mkdir()
    old = folder / "heartrule-20200101T000000Z.db"
    old.write_bytes(b"")
    (folder / "mine.db").write_bytes(b"")
    ran = heartrule("backup", "--to", str(folder), "--keep", "1")
    assert str(old) in ran.stdout
    assert not old.exists()
    assert (folder / "mine.db").exists()
    assert len(copies(folder)) == 1


def test_what_is_refused_says_why_and_changes_nothing(heartrule: Command, tmp_path: Path) -> None:
    ran = heartrule("backup", "--to", str(tmp_path / "copies"))
    assert (ran.returncode, copies(tmp_path / "copies")) == (1, [])
    assert "heartrule.db" in ran.stderr
    held(heartrule)
    inside = heartrule("backup", "--to", str(heartrule.data / "copies"))
    assert inside.returncode == 1
    assert not (heartrule.data / "copies").exists()
    beside = heartrule("backup", "--to", str(tmp_path / "copies"), "--keys", str(tmp_path / "copies"))
    assert beside.returncode == 1
    (copy,) = copies(tmp_path / "copies")
    before = (heartrule.data / "heartrule.db").read_bytes()
    over = heartrule("restore", str(copy))
    assert over.returncode == 1
    assert "--data" in over.stderr
    assert (heartrule.data / "heartrule.db").read_bytes() == before
    copy.write_bytes(copy.read_bytes()[:5000])
    broken = heartrule("restore", str(copy), "--data", str(tmp_path / "elsewhere"))
    assert broken.returncode == 1
    assert not (tmp_path / "elsewhere" / "heartrule.db").exists()
    assert heartrule("restore", str(tmp_path / "none"), "--lang", "en").stderr.startswith("There is no copy")
