"""Sessions with scripts that look back over them, put together from few words."""

from __future__ import annotations

from typing import Any

import yaml
from tests.engine.minds import CALM, judged
from tests.engine.scripts import ask, compiled, phase, say, skill, topic

from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

Node = dict[str, Any]
CALL = {"directive": "CALL_TECHNIQUE", "technique": "calm"}
NOTE = {"directive": "SET_VAR", "var": "标记", "value": "是"}
JUDGE = "来访者觉得没有被听见"
REF = "local/alliance"


def looking(name: str = "alliance", every: str | None = "5m", then: Any = (CALL,), **more: Any) -> Node:
    """A P2 script; ``rules``, ``if_unanswered`` and ``examples`` go into its question."""
    asks = {key: more.pop(key) for key in ("rules", "if_unanswered", "examples", "threshold") if key in more}
    condition = more.pop("condition", {"judge": more.pop("judge", JUDGE), **asks})
    timing = {"every": every} if every else {}
    return {
        "awareness": name,
        "id": name,
        "priority": "P2",
        "always": True,
        **timing,
        "condition": condition,
        "then": list(then),
        **more,
    }


def answers(verdicts: Any) -> Any:
    """A model that is calm, and says this when it looks back."""

    def model(task: Task) -> Any:
        if task.template == "risk":
            return CALM
        if task.template == "periodic":
            return verdicts(task) if callable(verdicts) else verdicts
        return None

    return model


YES = judged("yes", 0.9, "")
NO = judged("no", 0.9, "")


def talk(*awareness: Node, model: Any = None, **session: Any) -> Talk:
    """Five questions in two topics, one more in a second phase."""
    one = topic("甲", ask("一？", "a"), ask("二？", "b"), ask("三？", "c"), id="t1")
    two = topic("乙", ask("四？", "d"), ask("五？", "e"), id="t2")
    last = topic("丙", *[ask(f"又{n}？", f"f{n}") for n in range(14)], id="t3")
    whole = {
        "sessions": [
            {
                "session": "谈",
                "id": "talk",
                **session,
                "phases": [phase("P", one, two), phase("Q", last)],
            }
        ],
        "skills": [skill("缓一缓", say("先缓一缓。"), ask("好些了吗？", "缓", id="calm_ask"), id="calm")],
        "awareness": list(awareness),
    }
    text = yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
    return Talk(compiled(text), answers(model) if model is not None else None)


def looked(held: Talk) -> list[tuple[str, str, str]]:
    """Verdict, source and why it did not act, of every look."""
    return [(event.verdict, event.source, event.rest) for event in held.happened("awareness") if event.priority == "P2"]


def ordered(held: Talk) -> list[tuple[str, str]]:
    return [(event.directive, event.refused) for event in held.happened("directive")]
