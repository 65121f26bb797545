"""The strategy engine (seed 001 §4): how an ``adaptive`` action is to speak with this person, prepared beside the
conversation, a turn ahead where the script is certain to come to it. Where none is there, nobody waits for one, unless
the project says so (``strategies.first_words``).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, Literal

from heartrule.engine.installed_types import traits_of
from heartrule.engine.scheduling import next_action
from heartrule.engine.session.events import AdviceUnused, StrategyDecided
from heartrule.engine.session.state import Strategy
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.supervision import situation
from heartrule.engine.supervision.situation import StrategyContext
from heartrule.engine.tasks import strategies
from heartrule.engine.tasks.prompt_context import shared
from heartrule.engine.work import Work

TEMPLATE = "strategy"
LIMIT = 400
"""Characters of a strategy, which every prompt of its action holds."""
SHORT = 300
"""Characters of each part of the reasoning."""
CONSIDERATIONS = 6
OVER = "its action is over"
CHANGED = "the situation has changed"
NONE_IN_IT = "no strategy in it"
TAKEN = "it has been taken already"

Cause = Literal["prepared", "first_words", "regenerated"]
_TEXT = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {
            "type": "object",
            "properties": {
                "user_state_analysis": _TEXT,
                "key_considerations": {"type": "array", "items": _TEXT},
                "strategy_rationale": _TEXT,
            },
            "required": ["user_state_analysis", "key_considerations", "strategy_rationale"],
        },
        "strategy_prompt": _TEXT,
    },
    "required": ["reasoning", "strategy_prompt"],
}


# what is asked


def question(work: Work) -> Task | None:
    """About the adaptive action that goes on, else about the one that comes next; None where there is none, or where
    this situation has been asked about already. That it is asked is remembered."""
    places = [place for place in (next_action.here(work), next_action.next_adaptive(work)) if place is not None]
    _tidy(work, places)
    adaptive = [place for place in places if place.action.peek("adaptive")]
    if not adaptive:
        return None
    if adaptive[0].running and any(message.sender == "ai" for message in work.messages):
        strategies.spoken(work)
    for place in adaptive:
        held, signature = work.state.strategies.get(place.key), situation.signature(work, place)
        if _speaks_again(work, place) and (held is None or held.of != signature):
            return _ask(work, place, signature)
    return None


def _tidy(work: Work, places: list[next_action.Place]) -> None:
    """A strategy stays as long as its action waits, comes next, or is of a topic that has been put aside."""
    if not work.state.strategies:
        return
    held, near = strategies.at_hand(work), {place.key for place in places}
    aside = {frame.key for frame in work.state.suspended}
    kept = {
        key: each
        for key, each in work.state.strategies.items()
        if each is not held and (key in near or key.partition(" ")[0] in aside)
    }
    if held is not None:
        kept[f"{work.running.key} {work.frame.id}"] = held
    work.state.strategies = kept


def _speaks_again(work: Work, place: next_action.Place) -> bool:
    """Whether a prompt of the action is still to come that a strategy would be of use to."""
    if not place.running:
        return True
    rounds = place.action.peek("max_rounds") is not None or place.action.peek("exit_criteria") is not None
    last = work.frame.max_rounds is not None and work.frame.round >= work.frame.max_rounds
    return rounds and not last


def _ask(work: Work, place: next_action.Place, signature: str) -> Task:
    state = work.state
    state.strategies_asked += 1
    held = state.strategies.get(place.key)
    about = situation.context(work, place)
    known = held or Strategy(action=place.name, asked=0, of="")
    state.strategies[place.key] = known.model_copy(update={"asked": state.strategies_asked, "of": signature})
    return Task(
        key=f"{TEMPLATE} {place.key} {state.strategies_asked}",
        kind="analyse",
        role="understand",
        template=TEMPLATE,
        context=replace(shared(work), history=about.history),
        values=_values(about),
        schema=SCHEMA,
        required=("strategy_prompt",),
        temperature=0.5,
    )


def _values(about: StrategyContext) -> dict[str, str]:
    return {
        "profile": "\n".join(str(trait) for trait in about.profile),
        "topic_name": about.topic,
        "topic_goal": about.topic_goal,
        "strategy": about.static,
        "phase_name": about.phase,
        "phase_goal": about.phase_goal,
        "completed_topics": about.progress,
        "understanding": " → ".join(str(level) for level in about.understanding),
        "progress": situation.stuck(about.last),
        "exit_class": "" if situation.stuck(about.last) else situation.outcome(about.last),
        "metrics": "; ".join(f"{name}: {value}" for name, value in situation.observed(about.last).items()),
        "asks": "yes" if traits_of(about.action).asks == "model" else "",
        "says": "yes" if traits_of(about.action).says == "model" else "",
        "subtype": about.subtype,
        "content": about.content,
        "current_round": str(about.round) if about.round else "",
        "max_rounds": str(about.max_rounds) if about.max_rounds else "",
        "exit_criteria": about.criteria,
        "previous": about.previous,
        "direction": about.direction,
        **about.traits,
    }


# waited for


def first(work: Work, action: Any) -> Generator[tuple[Task, ...], Mapping[str, Answer], None]:
    """The strategy of the adaptive action that begins and has none: where the project says so, its first words wait for
    one (seed 001 §4.2.4). Where none comes, they are said without."""
    wanted = work.world.script.project.strategies.first_words and work.model and action.peek("adaptive")
    body = work.body() if wanted else None
    if body is None or strategies.prompt_line(work):
        return
    frame = work.frame
    place = next_action.Place(work.running.key, frame.id, action, body, work.phase, frame.index, running=True)
    task = _ask(work, place, situation.signature(work, place))
    data = (yield (task,))[task.key].data
    if data is not None and holds(data):
        _keep(work, place.key, data, "first_words")


# what comes of it


def holds(data: Mapping[str, Any]) -> bool:
    """Whether an answer has a strategy in it."""
    text = data.get("strategy_prompt") if isinstance(data, Mapping) else None
    return isinstance(text, str) and bool(text.strip())


def take(work: Work, key: str, data: Mapping[str, Any]) -> None:
    """Keep the strategy for the prompts to come, if its action is still to speak and nothing has changed since."""
    about, _, number = key.removeprefix(f"{TEMPLATE} ").rpartition(" ")
    at, held = next(((at, each) for at, each in work.state.strategies.items() if str(each.asked) == number), ("", None))
    if held is None or held.number == held.asked or not holds(data):
        gone = CHANGED if about in work.state.strategies else OVER
        why = gone if held is None else TAKEN if held.number == held.asked else NONE_IN_IT
        work.emit(AdviceUnused(template=TEMPLATE, about=key, why=why))
        return
    _keep(work, at, data, "regenerated" if held.number else "prepared")


def _keep(work: Work, at: str, data: Mapping[str, Any], cause: Cause) -> None:
    here, held = next_action.here(work), work.state.strategies[at]
    text = clipped(str(data["strategy_prompt"]))
    work.state.strategies[at] = held.model_copy(update={"number": held.asked, "text": text})
    work.emit(
        StrategyDecided(
            action=held.action,
            number=held.asked,
            round=work.frame.round if here is not None and here.key == at else 0,
            cause=cause,
            replaces=held.number,
            direction=work.state.direction,
            situation=held.of,
            profile=[trait.name for trait in situation.profile(work)],
            reasoning=_reasoning(data.get("reasoning")),
            strategy=text,
        )
    )


def clipped(text: str) -> str:
    """On one line, so that it cannot pass for a heading of the prompt; whole sentences where it is too long."""
    line = _line(text)
    if len(line) <= LIMIT:
        return line
    ends = [found.end() for found in _ENDS.finditer(line, 0, LIMIT)]
    return line[: ends[-1]].strip() if ends and ends[-1] >= LIMIT // 2 else f"{line[: LIMIT - 1]}…"


def _line(text: str) -> str:
    """Halves of characters cannot be written down."""
    return " ".join(text.split()).encode(errors="replace").decode()


_ENDS = re.compile(r"[。！？；]|[.!?;](?= )")


def _reasoning(given: Any) -> dict[str, str | list[str]]:
    """What there is of it, cut to its length."""
    if not isinstance(given, Mapping):
        return {}
    found: dict[str, str | list[str]] = {}
    for name in ("user_state_analysis", "strategy_rationale"):
        if isinstance(text := given.get(name), str) and text.strip():
            found[name] = _line(text)[:SHORT]
    points = given.get("key_considerations")
    told = [each for each in points if isinstance(each, str)] if isinstance(points, list) else []
    kept = [_line(each)[:SHORT] for each in told[:CONSIDERATIONS] if each.strip()]
    return found | ({"key_considerations": kept} if kept else {})
