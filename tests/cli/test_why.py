"""``heartrule why``: what every awareness script came to in each turn, why it acted or did not, and what followed."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.cli.command import Command
from tests.sessions.material import SMALL, Place, say, seen
from tests.sessions.monitored import ADVICE, Watcher, prepared

from heartrule.cli.why import lines
from heartrule.cli.words import Words
from heartrule.engine import takeover
from heartrule.engine.awareness import alerts, directives, hook_judgements, hook_points, pending_notices
from heartrule.engine.scheduling import topics
from heartrule.llm.model import Model
from heartrule.sessions import Settings, explanations, open_sessions
from heartrule.sessions.explanations import Reason, TurnWhy
from heartrule.testing.hold import MovedClock

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RISK = "safety/suicide_risk"


@pytest.fixture
def held(heartrule: Command) -> str:
    """A session in which somebody answers a question, and then speaks of wanting to die."""
    script = heartrule.folder / "small.yaml"
    script.write_text(SMALL, encoding="utf-8")

    async def work() -> str:
        settings = Settings(heartrule.data, model=Model(), clock=MovedClock())
        async with open_sessions(settings) as sessions:
            record = await sessions.create(str(script))
            outcome = await sessions.start(record.id)
            outcome = await sessions.take(record.id, say("a", "提不起劲", seen(outcome)))
            await sessions.take(record.id, say("b", "我不想活了", seen(outcome)))
        return record.id

    return asyncio.run(work())


def turn(*reasons: Reason) -> TurnWhy:
    return TurnWhy(4, NOON, "noticed", reasons)


def noticed(because: str, **more: Any) -> Reason:
    data = {
        "awareness": "local/alliance",
        "verdict": "yes",
        "source": "model",
        "confidence": 0.81,
        "evidence": "你没在听",
        "reason": "",
        "priority": "P2",
        "hook_point": "",
        "rest": "",
    }
    return Reason("awareness", None, {**data, **more}, because)


def test_a_hit_with_its_ground_and_what_it_ordered(heartrule: Command, held: str) -> None:
    ran = heartrule("why", held, "--turn", "3", "--lang", "zh")
    assert ran.returncode == 0
    assert ran.stdout.startswith("第 3 轮 · 2026-11-20 09:00 UTC · 来访者的话\n")
    assert f"  {RISK}（P0）：是 → 照做了\n" in ran.stdout
    assert re.search(r"规则 · 原话“[^”]*不想活[^”]*” · \S+", ran.stdout)
    assert re.search(r"指令 CALL_TECHNIQUE \S*technique=crisis_support.*（缘由 safety/suicide_risk yes）", ran.stdout)


def test_every_turn_tells_what_did_not_act(heartrule: Command, held: str) -> None:
    shown = heartrule("why", held, "--lang", "en").stdout
    assert [line.split(" · ")[0] for line in shown.splitlines() if line.startswith("Turn")] == [
        "Turn 1",
        "Turn 2",
        "Turn 3",
    ]
    assert f"  {RISK} (P0): no → no hit, nothing to do\n" in shown
    assert "queue lately → empty" in shown
    assert not re.search("[\u4e00-\u9fff]", re.sub(r"“.*?”|rules · .*| note=.*|: 已经回答", "", shown)), (
        "what a script says is its own"
    )


def test_one_script_alone(heartrule: Command, held: str) -> None:
    ran = heartrule("why", held, "--awareness", "suicide_risk", "--lang", "zh")
    told = [line for line in ran.stdout.splitlines() if not line.startswith(("第", "    "))]
    assert told
    assert all("suicide_risk" in line for line in told)
    assert heartrule("why", held, "--awareness", RISK, "--lang", "zh").stdout == ran.stdout
    assert heartrule("why", held, "--awareness", "nobody", "--lang", "zh").stdout == "那里没有做过决定。\n"


def test_for_programs(heartrule: Command, held: str) -> None:
    found = json.loads(heartrule("why", held, "--json", "--awareness", "suicide_risk").stdout)
    assert [(each["turn"], each["input"]) for each in found] == [(2, "message"), (3, "message")]
    verdict, ordered = (
        next(r for r in found[1]["reasons"] if r["kind"] == kind) for kind in ("awareness", "directive")
    )
    assert (verdict["verdict"], verdict["source"], verdict["because"]) == ("yes", "rules", "acted")
    assert (ordered["directive"], ordered["refused"]) == ("CALL_TECHNIQUE", "")
    assert json.loads(heartrule("why", held, "--json", "--turn", "9").stdout) == []


def test_a_session_that_there_is_not(heartrule: Command, held: str) -> None:
    ran = heartrule("why", "nobody", "--lang", "zh")
    assert ran.returncode == 1
    assert ran.stderr == "没有编号是 nobody 的会谈。\n"


@pytest.mark.parametrize(
    ("language", "because", "said"),
    [
        ("zh", "cooldown", "local/alliance（P2）：是 → 冷却中"),
        ("zh", "waits for the next hook point", "local/alliance（P2）：是 → 等到下一个衔接处再做"),
        ("en", "expired", "local/alliance (P2): yes → expired"),
        ("en", "a cause of tomorrow", "local/alliance (P2): yes → a cause of tomorrow"),
    ],
)
def test_why_it_did_not_act(language: str, because: str, said: str) -> None:
    told = list(lines(turn(noticed(because)), Words(language)))  # type: ignore[arg-type]
    assert told[1] == f"  {said}"


def test_a_hook_point_is_named() -> None:
    told = list(lines(turn(noticed("acted", priority="P1", hook_point="after ai_ask")), Words("en")))
    assert told[1] == "  local/alliance (P1, after ai_ask): yes → acted"
    assert list(lines(turn(noticed("acted", priority="P1", hook_point="topic_end")), Words("zh")))[1].startswith(
        "  local/alliance（P1，话题结束）"
    )


def test_scripts_that_nobody_judged() -> None:
    reason = Reason("unasked", None, {"awareness": {"cooldown": ["a/x", "a/y"], "disabled": ["a/z"]}})
    assert list(lines(turn(reason), Words("en")))[1:] == [
        "  not judged (cooling down): a/x, a/y",
        "  not judged (switched off): a/z",
    ]


def test_what_was_refused_and_where_the_queue_went() -> None:
    ordered = {"directive": "SKIP_TOPICS", "cause": "a/x yes", "detail": {"topics": ["一"]}, "refused": "budget"}
    queue = {"before": ["一", "二"], "after": [], "cause": "awareness a/x"}
    told = list(lines(turn(Reason("directive", None, ordered), Reason("queue", None, queue)), Words("zh")))
    assert told[1:] == [
        '  指令 SKIP_TOPICS topics=["一"]（缘由 a/x yes）没有执行：这场会谈能用的次数用完了',
        "  队列 一 二 → 空（awareness a/x）",
    ]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "zh",
            [
                "past 可能不好谈：先告诉了来访者，由他选（现在谈 · 不谈）",
                "past：来访者用话选了：不谈",
                "past：来访者选了：现在谈",
            ],
        ),
        (
            "en",
            [
                "past may be hard to talk about: announced, with a choice (talk about it · leave it out)",
                "past: the person chose in words: leave it out",
                "past: the person chose: talk about it",
            ],
        ),
    ],
)
def test_what_was_announced_and_chosen(language: Any, told: list[str]) -> None:
    asked = {"topic": "past", "topic_key": "t1", "offered": ["go_on", "skip"], "choice": "", "by_words": False}
    reasons = [asked, {**asked, "choice": "skip", "by_words": True}, {**asked, "choice": "go_on"}]
    made = turn(*(Reason("announced", "sensitive", data) for data in reasons))
    assert [line.strip() for line in lines(made, Words(language))][1:] == told


def test_what_people_wrote_cannot_redraw_the_terminal() -> None:
    told = "\n".join(lines(turn(noticed("acted", evidence="\x1b[2J走\n了")), Words("en")))
    assert "\x1b" not in told
    assert "“[2J走 了”" in told


CAUSES = (
    alerts.EXPIRED,
    alerts.COOLDOWN,
    takeover.REST,
    *(hook_points.NOT_CROSSED, hook_points.NOT_REACHABLE, hook_points.NEXT_TURN),
    *(hook_points.SAFETY_FIRST, directives.GAVE_WAY, hook_points.HANDLED, hook_points.SAID_NOTHING, hook_points.CHOSEN),
    *(hook_judgements.TOO_MANY, hook_judgements.SAID_ALREADY, hook_judgements.UNANSWERED),
    *(pending_notices.WAITS, pending_notices.OFF, pending_notices.LOOKED, pending_notices.LEFT, pending_notices.OLD),
    topics.TOO_DEEP,
    *(explanations.ACTED, explanations.NO_HIT, explanations.HANDLED, explanations.NOTHING),
)


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_that_the_engine_knows_has_words(cause: str) -> None:
    known = [Words(language)._texts["why_because"] for language in ("zh", "en")]  # type: ignore[arg-type]
    assert all(cause in words for words in known)
    assert known[0][cause] != known[1][cause]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_kind_is_told(language: str) -> None:
    reasons = (
        Reason("escalated", None, {"to": "desk", "id": "3-1", "cause": "awareness a/x", "note": "…"}),
        Reason("judged", "ask", {"question": "累吗", "verdict": True, "source": "model", "where": "topic t"}),
        Reason("fault", None, {"what": "loop"}),
        Reason("shortened", "ask", {"of": "topic", "left": 3.0, "was": 5, "max_rounds": 2}),
        Reason("advice_unused", None, {"template": "strategy", "about": "k", "why": "too late"}),
        Reason("blocked", "ask", {"check": "diagnosis", "reason": "names an illness"}),
        Reason(
            "exit",
            "ask",
            {
                "should_exit": False,
                "decision_source": "exit_flag",
                "round": 2,
                "reason": "还没问到",
                "vetoed": ["exit_flag"],
            },
        ),
    )
    told = list(lines(turn(*reasons), Words(language)))  # type: ignore[arg-type]
    assert len(told) == 9
    assert "3-1" in told[1]
    assert "累吗" in told[2]
    assert "loop" in told[3]
    assert "5 → 2" in told[4]
    assert "strategy" in told[5]
    assert "diagnosis" in told[6]
    assert "还没问到" in told[7]


def test_what_a_monitor_advised_and_what_was_planned_of_it_is_told(heartrule: Command) -> None:
    place = prepared(Place(heartrule.folder))

    async def work() -> str:
        model = Watcher({**ADVICE, "strategy_suggestion": "rephrase"}).model()
        settings = Settings(heartrule.data, model=model, clock=MovedClock())
        async with open_sessions(settings) as sessions:
            record = await sessions.create(place.script)
            outcome = await sessions.start(record.id)
            for words in ("还行吧", "嗯", "就那样"):
                outcome = await sessions.take(record.id, say(f"said {words}", words, seen(outcome)))
                await asyncio.sleep(0.2)
        return record.id

    shown = heartrule("why", asyncio.run(work()), "--lang", "en").stdout
    assert re.search("looking on at round 1 of father: ask in other words · 降低直接性。", shown), shown


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_strategy_is_told_with_what_it_was_followed_by(language: str) -> None:
    seen = {"turn": 3, "round": 1, "progress_suggestion": "blocked", "metrics": {"emotional_intensity": "低落"}}
    data = {"number": 4, "replaces": 2, "strategy": "短句", "before": seen, "after": [{**seen, "turn": 6, "round": 2}]}
    told = list(lines(turn(Reason("strategy", "it", data)), Words(language)))  # type: ignore[arg-type]
    assert len(told) == 4
    assert "短句" in told[1]
    assert "2" in told[1]
    assert "emotional_intensity: 低落" in told[2]
    assert "6" in told[3]
    first = list(
        lines(turn(Reason("strategy", "it", {**data, "replaces": 0, "before": None, "after": []})), Words(language))
    )  # type: ignore[arg-type]
    assert len(first) == 2
    assert "2" not in first[1]


def test_what_a_stretch_noted_and_why_a_reply_was_made_again() -> None:
    case = {
        "number": 3,
        "noted": "boundary",
        "text": "家里的事",
        "quote": "家里的不想说",
        "about": ["家里有过"],
        "done": 0,
    }
    kept = {"number": 4, "noted": "promise", "text": "后面再说睡觉", "quote": "", "about": [], "done": 9}
    redone = {"task": "stretch", "redone": True, "why": ["不能问“家里有过”：他说过不谈这个"]}
    told = turn(Reason("case", None, case), Reason("case", None, kept), Reason("replied", "trouble", redone))
    assert list(lines(told, Words("zh")))[1:] == [
        "  档案 [3] 不谈：家里的事",
        "    原话“家里的不想说” · 归它管：家里有过",
        "  档案 [4] 我们答应的：后面再说睡觉",
        "    已经回应或做到",
        "  trouble：回复重写了一次（不能问“家里有过”：他说过不谈这个）",
    ]


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "学出来的分类器（只会提高到轻声问一句）"), ("en", "learned classifier")]
)
def test_it_says_that_a_classifier_raised_it(language: Any, said: str) -> None:
    raised = noticed("acted", verdict="watch", source="classifier", reason="own-danger-4-abc", priority="P0")
    told = "\n".join(lines(turn(raised), Words(language)))
    assert said in told
    assert "own-danger-4-abc" in told
    assert "你没在听" in told, "the words that weighed most"
