"""Scripts that watch at hook points, and talks in which they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml
from tests.engine.minds import CALM, Data, Node, replied, tasks
from tests.engine.scripts import ask, compiled, phase, say, skill, topic

from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

RESISTS = "来访者是否在抗拒"
NOTE: Node = {"directive": "SET_VAR", "var": "标记", "value": "是"}
MEET: Node = {"directive": "CALL_TECHNIQUE", "technique": "meet"}
SLOW: Node = {"directive": "FEEDBACK", "text": "慢一点"}
MEETING = skill("迎接抗拒", say("我们先停一停。"), ask("是哪里不合适？", "哪里", id="meet_ask"), id="meet")
PLAIN = (ask("一？", "a"), ask("二？", "b"), ask("三？", "c"))
NOTHING: Data = {"holds": [], "values": []}


def watcher(*then: Node, at: str | Sequence[str] = "after ask", judge: str = RESISTS, **more: Any) -> Node:
    """A P1 script with a question; ``rules=`` and what else belongs to one goes into its condition."""
    name = more.pop("id", "resists")
    inner = {key: more.pop(key) for key in ("threshold", "examples", "rules", "if_unanswered") if key in more}
    condition = more.pop("condition", {"judge": judge, **inner})
    return {
        "awareness": name,
        "id": name,
        "priority": "P1",
        "always": True,
        "at": [at] if isinstance(at, str) else list(at),
        "condition": condition,
        "then": list(then) or [NOTE],
        **more,
    }


def words(pattern: str, level: str = "explicit") -> Node:
    return {level: [{"pattern": pattern, "reason": "说了"}]}


def made(
    *awareness: Node,
    actions: Sequence[Node] = PLAIN,
    topics: Sequence[Node] = (),
    skills: Sequence[Node] = (MEETING,),
    project: str = "id: local\n",
    **session: Any,
) -> Any:
    steps = list(topics) or [topic("甲", *actions), topic("乙", ask("四？", "d"), say("完。"))]
    whole = {
        "sessions": [{"session": "谈", "id": "talk", "phases": [phase("P", *steps)], **session}],
        "skills": list(skills),
        "awareness": list(awareness),
    }
    text = yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
    if project == "id: local\n":
        return compiled(text)
    return compiled.__wrapped__(text, files={"project.yaml": project})


def seen(*held: tuple[int, str], confidence: float = 0.9) -> Data:
    """What perception is answered with: the numbers that hold, with their quotes."""
    return {"holds": [{"id": n, "confidence": confidence, "evidence": quote} for n, quote in held], "values": []}


def taking(task: Task) -> Data:
    """A mind that takes the newest words for the answer to whatever was asked."""
    newest = task.context.history[-1].text
    wanted = task.schema["properties"]["values"]["properties"]
    return replied(values={name: {"value": newest, "evidence": newest[:20]} for name in wanted})


def model(perceive: Any = NOTHING, **table: Any) -> dict[str, Any]:
    return {"risk": CALM, "ask": taking, "perceive": perceive, **table}


def hearing(*quotes: str, question: str = RESISTS) -> Any:
    """A mind that sees ``question`` hold wherever one of these quotes stands in the newest words."""

    def mind(task: Task) -> Data:
        newest = task.context.history[-1].text
        numbers = [n for n, line in enumerate(task.values["judgements"].splitlines(), 1) if question in line]
        found = next((quote for quote in quotes if quote in newest), None)
        return seen(*((n, found) for n in numbers)) if found else NOTHING

    return mind


def asked(talk: Talk) -> list[list[str]]:
    """The questions of each perception call."""
    return [
        [line.partition(". ")[2] for line in task.values["judgements"].splitlines()] for task in tasks(talk, "perceive")
    ]


def noticed(talk: Talk, ref: str = "local/resists") -> list[tuple[str, str, bool, str]]:
    """Verdict, source, whether it acted, and why not."""
    return [(e.verdict, e.source, e.acted, e.rest) for e in talk.happened("awareness") if e.awareness == ref]


def unasked(talk: Talk) -> list[dict[str, list[str]]]:
    return [event.awareness for event in talk.happened("unasked")]


def ordered(talk: Talk) -> list[tuple[str, str]]:
    return [(event.directive, event.refused) for event in talk.happened("directive")]
