"""``heartrule escalations``, and what serving and talking in the terminal have to do with jobs."""

from __future__ import annotations

import json
import time
import urllib.request
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.jobs.material import CALL, NOTE, SECRET, Place, run
from tests.jobs.receivers import Hook

from heartrule.sessions import open_sessions


@pytest.fixture
def heartrule(tmp_path: Path) -> Command:
    return Command(tmp_path)


def called(folder: Path) -> str:
    """A data folder in which somebody has called for help and nobody was told; the escalation's id."""
    place = Place(folder)

    async def talk() -> str:
        async with open_sessions(place.where()) as sessions:
            return f"{await place.called(sessions)}/2-1"

    found: str = run(talk())
    return found


def configured(folder: Path, url: str) -> None:
    text = f'[[escalation.to]]\nname = "desk"\nwebhook = "{url}"\nsecret = "{SECRET}"\nallow_private = true\n'
    (folder / "heartrule.toml").write_text(text)


def test_nobody_was_escalated_to(heartrule: Command) -> None:
    assert "还没有升级过" in heartrule("escalations").stdout
    assert "Nobody has been escalated to" in heartrule("escalations", "--lang", "en").stdout
    assert "没有待确认的" in heartrule("escalations", "--open").stdout


def test_they_are_listed_and_acknowledged(heartrule: Command, tmp_path: Path) -> None:
    escalation = called(tmp_path)
    for form in ((), ("--open",)):
        ran = heartrule("escalations", *form)
        assert (ran.returncode, escalation in ran.stdout, "待处理" in ran.stdout) == (0, True, True)
        assert NOTE not in ran.stdout
    ran = heartrule("escalations", "ack", escalation, "--by", "值班")
    assert (ran.returncode, "已确认" in ran.stdout) == (0, True)
    assert escalation not in heartrule("escalations", "--open").stdout
    assert "值班" in heartrule("escalations").stdout
    again = heartrule("escalations", "ack", escalation, "--by", "别人")
    assert again.returncode == 1
    assert "值班" in again.stderr
    assert heartrule("escalations", "ack", "nothing/1-1").returncode == 1
    (told,) = json.loads(heartrule("escalations", "--format", "json").stdout)
    assert (told["id"], told["status"], told["acknowledged_by"]) == (escalation, "acknowledged", "值班")


def test_talking_in_the_terminal_delivers_what_is_there(heartrule: Command, tmp_path: Path) -> None:
    escalation = called(tmp_path / "before")
    with Hook(slow=0.3).serving() as hook:
        configured(tmp_path, hook.url)
        data = str(tmp_path / "before" / "data")
        with heartrule.running("chat", str(tmp_path / "before" / "talk" / "talk.yaml"), "--data", data) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            while "第0问" not in process.stdout.readline():
                pass
            for _ in range(600):
                if hook.taken:
                    break
                time.sleep(0.05)
            out, err = process.communicate("/quit\n", timeout=60)
        assert hook.keys == [escalation]
    assert "dbos" not in (out + err).lower()


def test_serving_refuses_settings_that_are_wrong_and_says_where(heartrule: Command, tmp_path: Path) -> None:
    (tmp_path / "heartrule.toml").write_text('[[escalation.to]]\nname = "desk"\n')
    for command in (("serve", "--port", "0"), ("chat", "cbt/abc_intro")):
        ran = heartrule(*command)
        assert ran.returncode == 1
        assert "escalation.to[1]: say where" in ran.stderr


def test_serving_delivers_and_counts(heartrule: Command, tmp_path: Path) -> None:
    escalation = called(tmp_path)
    with Hook().serving() as hook:
        configured(tmp_path, hook.url)
        with heartrule.running("serve", "--port", "0") as process:
            assert process.stdout is not None
            try:
                line = process.stdout.readline()
                address = next(word.rstrip("。.，, ") for word in line.split() if word.startswith("http"))
                for _ in range(600):
                    with urllib.request.urlopen(f"{address}/metrics") as answer:
                        metrics = answer.read().decode()
                    if "heartrule_escalations_delivered 1.0" in metrics:
                        break
                    time.sleep(0.05)
            finally:
                process.terminate()
                out, err = process.communicate(timeout=60)
        assert hook.keys == [escalation]
    assert "heartrule_escalations_delivered 1.0" in metrics
    assert "heartrule_escalations_open 0.0" in metrics
    oldest = next(line for line in metrics.splitlines() if line.startswith("heartrule_escalations_oldest_seconds "))
    assert float(oldest.split()[1]) != 0
    assert CALL not in out + err
