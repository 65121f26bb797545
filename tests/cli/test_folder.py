"""Data folders that cannot be used are named, with what is wrong and what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from tests.cli.command import Command

from heartrule.cli import folder as folders
from heartrule.cli.folder import Unusable, opening, usable
from heartrule.cli.words import Words

COMMANDS = [["chat", "hello.yaml"], ["chat", "--resume"], ["keys", "show"], ["keys", "rotate"]]


@pytest.mark.parametrize("arguments", COMMANDS)
@pytest.mark.parametrize("place", ["file", "file/below", "file/far/below"])
def test_a_file_where_the_folder_should_be(place: str, arguments: list[str], heartrule: Command) -> None:
    (heartrule.folder / "file").write_text("mine", encoding="utf-8")
    data = heartrule.folder / place
    ran = heartrule(*arguments, "--data", str(data), "--lang", "en")
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"Cannot use the folder {data}: ")
    assert "not a folder. Choose another with --data or HEARTRULE_DATA." in ran.stderr
    assert " fault " not in ran.stderr
    assert (heartrule.folder / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_where_nothing_can_be_made(heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", "--data", "/proc/heartrule")
    assert ran.returncode == 1
    assert ran.stderr.startswith("不能使用文件夹 /proc/heartrule：")
    assert "--data" in ran.stderr
    assert " fault " not in ran.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(heartrule: Command) -> None:
    heartrule.data.mkdir(mode=0o500)
    ran = heartrule("chat", "hello.yaml")
    assert ran.returncode == 1
    assert "没有权限" in ran.stderr


def test_a_folder_that_can_be_read_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(dir: Path) -> None:  # noqa: A002
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(dir / "tmp123"))

    monkeypatch.setattr(folders.tempfile, "TemporaryFile", refuse)
    with pytest.raises(Unusable) as caught:
        usable(tmp_path / "data")
    told = caught.value.explanation(Words("en"))
    assert told.startswith(f"Cannot use the folder {tmp_path / 'data'}: it can be read but not written.")


def test_a_file_of_the_folder_is_named(heartrule: Command) -> None:
    (heartrule.data / "heartrule.db").mkdir(parents=True)
    ran = heartrule("chat", "hello.yaml", "--lang", "en")
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"Cannot use the folder {heartrule.data}: heartrule.db: Is a directory.")


@pytest.mark.parametrize("error", [OSError("no file at all"), FileNotFoundError(errno.ENOENT, "gone", "/elsewhere/x")])
def test_other_faults_stay_what_they_are(error: OSError, tmp_path: Path) -> None:
    with pytest.raises(type(error)) as caught, opening(tmp_path):
        raise error
    assert caught.value is error


def test_a_reason_without_a_name_is_said_as_the_system_says_it(tmp_path: Path) -> None:
    assert "File name too long" in Unusable(tmp_path, OSError(errno.ENAMETOOLONG, "File name too long")).explanation(
        Words("zh")
    )
    assert "OSError" in Unusable(tmp_path, OSError()).explanation(Words("zh"))


def test_the_home_of_nobody(heartrule: Command) -> None:
    for arguments in (["chat", "hello.yaml"], ["keys", "show"]):
        ran = heartrule(*arguments, "--data", "~nobody-of-this-name/x")
        assert ran.returncode == 1
        assert "~nobody-of-this-name/x" in ran.stderr


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    usable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
