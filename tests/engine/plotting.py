"""Changes of topics' plans: handing them in as the orchestrator does, at random, and what must hold of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.engine.minds import Data, ai_ask, ai_say, get, option, think
from tests.engine.scripts import Node, ask, phase, put, say, script, skill, topic, use

from heartrule.engine.session.io import Advice, Input
from heartrule.engine.session.state import PlanRequest
from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import orchestration, plans
from heartrule.engine.work import Work
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk


def want(talk: Talk, reason: str = "来访者不愿说", suggestion: str = "comfort") -> Task | None:
    """A monitor asks for a change of plan in the running topic. What the orchestrator would be asked."""
    running = talk.state.running
    assert running is not None
    action = running.action.id if running.action is not None else ""
    talk.state.wanted = PlanRequest(topic=running.key, action=action, suggestion=suggestion, reason=reason)
    return orchestration.question(Work.of(talk._world()))


def propose(talk: Talk, **data: Any) -> Any:
    """Ask for a plan and hand it in. What was recorded of it."""
    task = want(talk)
    assert task is not None, "a plan is asked for"
    return hand_in(talk, task.key, data)


def hand_in(talk: Talk, key: str, data: Mapping[str, Any]) -> Any:
    talk.move(Input("advised", advice=(Advice(key, orchestration.TEMPLATE, data),)))
    return talk.happened("plan")[-1]


def plan_types(talk: Talk) -> list[str]:
    """The types of the running topic's actions, in the order in which they are gone through."""
    work = Work.of(talk._world())
    body = work.body()
    return [action.type for action in body.actions] if body is not None else []


def contents(talk: Talk) -> list[str]:
    body = Work.of(talk._world()).body()
    return [str(action.peek("content") or action.peek("var")) for action in body.actions] if body is not None else []


# at random

WORDS = (
    "我们不着急，先缓一缓。",
    "先说说今天过得怎么样吧。",
    "家里平常是什么气氛？",
    "{感受}先放着，{%crisis_numbers%}也先放着。",
    "慢慢来。" * 60,
    "你得的是抑郁症，我保证吃百忧解就好。",
    "",
    "\ud83d",
    7,
    None,
)
TYPES = ("say", "ai_say", "ai_ask", "ask", "set_var", "use_skill", "user_option", "END_SESSION", 3, None)
FIELDS = ("content", "question", "tone", "exit", "follow_up", "max_rounds", "required", "output", "condition", "id")
VALUES = (*WORDS[:4], 1, 2, 3, 5, 99, -1, True, False, [{"get": "新的"}], {"a": 1}, 10**30)


def shapes(random: Random) -> Script:
    """A session of a few topics with actions of every kind, some of which read what others write."""
    topics = [_topic(random, number) for number in (1, 2)]
    return script(
        phase("P", *topics),
        skills=[skill("缓一缓", ai_say("呼吸"), ai_ask("现在怎样"), returns=["轻松"])],
        locale=random.choice(("zh-CN", "zh-CN", "en")),
    )


def _topic(random: Random, number: int) -> Node:
    made = [_action(random, f"{number}_{place}") for place in range(random.randint(3, 6))]
    made.append(say(f"说到 {{a{number}_0}}", condition=f"a{number}_1 != 1"))
    more: Node = {"repeat": {"until": f"a{number}_0 == 8", "max": 2}} if random.random() < 0.3 else {}
    return topic(f"T{number}", ai_ask("先聊聊", f"a{number}", max_rounds=3), *made, **more)


def _action(random: Random, name: str) -> Node:
    kinds = (
        lambda: say(f"说 {name}"),
        lambda: ai_say(f"讲 {name}", max_rounds=2),
        lambda: ai_say(f"告诉 {name}"),
        lambda: ask(f"问 {name}？", get(f"a{name}", "integer")),
        lambda: ask(f"随便问 {name}？"),
        lambda: ai_ask(f"问 {name}", f"a{name}", max_rounds=2),
        lambda: ai_ask(f"聊 {name}", max_rounds=2, follow_up="再多一点"),
        lambda: ask(f"最近有没有危险 {name}？", {"get": f"r{name}", "type": "boolean", "risk": True}),
        lambda: option(f"o{name}", "是", "否"),
        lambda: think(f"想 {name}", f"b{name}"),
        lambda: put(f"a{name}", 1),
        lambda: use("缓一缓"),
        lambda: say("要是难受：{%crisis_contacts%}"),
    )
    return random.choice(kinds)()


def plan(random: Random, start: int, size: int) -> Data:
    """A plan as a model may write it, for actions numbered from ``start`` to ``size``: sometimes right, often not."""
    kind = random.choice((*KINDS, *KINDS, *KINDS, "none", "delete", 5))
    data: Data = {"action": kind, "reason": random.choice(WORDS), "target": _target(random, start, size)}
    if kind == "insert" or random.random() < 0.1:
        data["new_action"] = _new(random)
    if kind == "modify" or random.random() < 0.1:
        data["modifications"] = _modified(random)
    if kind == "reorder" or random.random() < 0.1:
        data["order"] = _order(random, start, size)
    if random.random() < 0.05:
        del data["target"]
    return data


KINDS = ("insert", "modify", "skip", "reorder")


def _target(random: Random, start: int, size: int) -> Any:
    if random.random() < 0.8:
        return random.randint(start, max(start, size))
    return random.choice((0, 1, size + 2, str(size), "after_current", True, None, 2.5, [], -3))


def _new(random: Random) -> Any:
    if random.random() < 0.05:
        return random.choice((None, [], "say"))
    made: Data = {"type": random.choice(("say", "ai_say", "ai_ask")), "content": random.choice(WORDS[:4])}
    if random.random() < 0.4:
        made[random.choice(("type", "content", *FIELDS))] = random.choice((*VALUES, *TYPES, *WORDS))
    return made


def _modified(random: Random) -> Data:
    if random.random() < 0.6:
        return {"content": random.choice(WORDS[:4])}
    fields = random.sample(FIELDS, random.choice((0, 1, 1, 2)))
    return {name: random.choice((*VALUES, *WORDS)) for name in fields}


def _order(random: Random, start: int, size: int) -> Any:
    ahead = list(range(start + 1, size + 1))
    for _ in range(random.choice((1, 1, 2, 9)) if len(ahead) > 1 else 0):
        at = random.randrange(len(ahead) - 1)
        ahead[at], ahead[at + 1] = ahead[at + 1], ahead[at]
    if random.random() < 0.2:
        ahead = [*ahead[: random.randrange(9)], *random.choice(([1], [99], [True], ["2"], [None]))]
    return ahead if random.random() < 0.95 else "2, 1"


# what holds


def lawful(talk: Talk, before: Mapping[str, Any]) -> None:
    """Whatever was proposed, the running topic has no action that it may not have, none of the script's is there twice,
    and none that must be is gone. ``before``: ``standing`` of the topic then."""
    work = Work.of(talk._world())
    running = work.running
    body, written = work.body(), work.script_node(running)
    assert body is not None
    assert written is not None
    assert running.inserted <= plans.INSERTED
    assert running.plan_changes <= plans.PLANS
    assert work.state.inserted <= plans.IN_SESSION
    places = running.plan if running.plan is not None else []
    own = [placed.written for placed in places if placed.written is not None]
    assert len(own) == len(set(own))
    for placed, action in zip(places, body.actions, strict=bool(places)):
        if placed.written is None:
            assert action.traits.plan.new
            assert not action.peek("output")
            assert action.condition is None
            assert (action.peek("max_rounds") or 1) <= plans.ROUNDS
            assert all("{" not in value for value in placed_texts(action))
        else:
            original = written.actions[placed.written]
            assert (action.type, action.condition) == (original.type, original.condition)
            assert action.peek("output") == original.peek("output")
            assert (action.peek("max_rounds") or 0) <= (original.peek("max_rounds") or 0) + plans.MORE
    assert list(ids(body.actions[: before["open"]])) == list(before["begun"]), "what has begun keeps its place"
    now = [action.id or place for place, action in enumerate(body.actions)]
    assert [each for each in now if each in before["fixed"]] == [each for each in before["fixed"] if each in now]
    assert set(before["needed"]) <= {placed.written for placed in places} or not places


def placed_texts(action: Any) -> list[str]:
    return [value for name, value in action.__dict__.items() if isinstance(value, str) and name != "id"]


def ids(actions: Any) -> list[str]:
    return [str(action.peek("content") or action.type) for action in actions]


def standing(talk: Talk) -> dict[str, Any]:
    """What no plan may change: what has begun, and those of the script that nothing may leave out."""
    work = Work.of(talk._world())
    body, written = work.body(), work.script_node(work.running)
    assert body is not None
    assert written is not None
    begun = plans.first_open(work.running)
    running = work.running.action.index if work.running.action is not None else -1
    kept = [place for place, action in enumerate(written.actions) if not action.traits.plan.skipped or _risky(action)]
    return {
        "open": max(0, min(begun, len(body.actions)) - (1 if running >= 0 else 0)),
        "begun": ids(body.actions[: max(0, begun - (1 if running >= 0 else 0))]),
        "fixed": [action.id for action in body.actions if action.id and not action.traits.plan.moved],
        "needed": kept,
    }


def _risky(action: Any) -> bool:
    return any(getattr(item, "risk", False) for item in action.peek("output") or [])
