"""What the page about the language says of limits and of techniques is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.engine.scripts import Node, ask, causes, check, faults, phase, put, say, script, skill, spoken, topic, use

from heartrule.engine import flow
from heartrule.engine.scheduling import phase_queue, topics
from heartrule.language.findings import Refused
from heartrule.testing.talk import Talk

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
PLAIN = " ".join(PAGE.split())


@pytest.mark.parametrize(
    "words",
    [
        f"{flow.STEPS:,} steps",
        f"{flow.SAID} messages",
        f"{flow.TASKS} questions",
        f"At most {phase_queue.DEFERRED} wait at once",
        f"At most {topics.DEPTH} topics",
    ],
)
def test_the_limits_are_the_program_s(words: str) -> None:
    assert words in PLAIN


def test_the_jumps_are_a_hundred() -> None:
    assert flow.JUMPS == 100
    assert "a hundred times a session" in PLAIN


def test_every_code_that_is_named_exists() -> None:
    folder = Path(flow.__file__).parents[1] / "language" / "findings" / "diagnostics"
    known = {path.name[:4] for path in folder.glob("*.md")}
    assert set(re.findall(r"\b[EW]\d{3}\b", PAGE)) <= known


def again(**more: str) -> Talk:
    itself: list[Node] = [put("几", expr="几 + 1"), say("第{几}遍"), use("技", timing="after_topic", **more)]
    steps = [topic("甲", use("技", timing="after_topic"), say("甲完")), topic("乙", ask("好了？", "x"))]
    return Talk(script(phase("P", *steps), skills=[skill("技", *itself)], declare=[{"var": "几", "value": 0}]))


def test_a_technique_that_defers_to_itself_runs_as_often_as_its_condition_holds() -> None:
    talk = again(condition="几 < 3")
    assert spoken(talk) == ["甲完", "第1遍", "第2遍", "第3遍", "好了？"]
    assert faults(talk) == []
    check(talk)


def test_without_a_condition_it_is_refused() -> None:
    with pytest.raises(Refused, match="E216"):
        again()


def test_one_whose_condition_always_holds_ends_the_session_with_a_sentence() -> None:
    talk = again(condition="几 >= 0")
    assert talk.ended
    assert talk.state.end_reason == "loop"
    assert len(faults(talk)) == 1
    assert "停在这里" in talk.said[-1]
    assert len(talk.said) <= flow.SAID + 2
    assert causes(talk, "skipped")
