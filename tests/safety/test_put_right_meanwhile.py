"""What is put right while danger is talked about stays right when the stretch that had found it otherwise goes on."""

from __future__ import annotations

from typing import Any

from tests.engine.minds import CALM

from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk, shipped

PASSIVE = {"verdicts": [{"id": 1, "verdict": "passive", "confidence": 0.9, "evidence": "不用醒来也挺好"}]}
FIRST, RIGHT = "三百二十棵全砍了", "砍了二百六十棵"


class Mind:
    """A model that reads two sentences and finds nothing else."""

    now = ""

    def risk(self, task: Task) -> Any:
        return PASSIVE if "不用醒来" in self.now else CALM

    def listen(self, task: Task) -> Any:
        values = [{"name": "起病经过", "value": RIGHT, "evidence": RIGHT}] if RIGHT in self.now else []
        return {"values": values, "notes": []}

    def stretch(self, task: Task) -> Any:
        values = {"起病经过": {"value": FIRST, "evidence": FIRST}} if FIRST in self.now else {}
        over = "YES" if self.now == "没有" else "NO"
        return {"values": values, "asks": "", "EXIT": over, "content": "嗯，再说说？"}


def test_it_is_not_written_over_by_what_was_found_before() -> None:
    mind = Mind()
    talk = Talk(shipped("cbt/first_assessment"), {"risk": mind.risk, "listen": mind.listen, "stretch": mind.stretch})
    talk.choose("开始")

    def say(text: str) -> None:
        mind.now = text
        talk.say(text)

    def running() -> str:
        return talk.state.running.ref if talk.state.running else ""

    say("小林")
    while running() != "what_hurts":
        say("睡不着")
    say(f"三月砍树，{FIRST}")
    assert talk.value("起病经过") == FIRST
    say("不用醒来也挺好")
    assert running() == "safety/explore_wishes"
    say(f"前头讲错了，{RIGHT}")
    assert talk.value("起病经过") == RIGHT
    while running() != "what_hurts":
        say("没有")
    say("欠账")
    say("睡不着")
    assert running() == "what_hurts"
    assert talk.value("起病经过") == RIGHT
