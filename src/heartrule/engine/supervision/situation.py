"""What a strategy is asked about: who the person is, what was said, where things stand, and what is to be done next
(seed 001 §4.2.2)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from heartrule.engine.dialogue import rounds
from heartrule.engine.dialogue.exit_policy import UNDERSTOOD
from heartrule.engine.scheduling import next_action
from heartrule.engine.session.state import Round, State
from heartrule.engine.session.tasks import Line
from heartrule.engine.session.variables import GLOBAL, SESSION
from heartrule.engine.tasks import strategies, subtypes
from heartrule.engine.tasks.prompt_context import fill, lines, strategy_of
from heartrule.engine.variables import topic_context
from heartrule.engine.variables.definitions import declared
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import Work
from heartrule.language import placeholders

MESSAGES = 20
"""Of the conversation, the newest."""
TRAITS, VALUE = 20, 120
"""Variables that are told of the person, the newest, and characters of each value."""
CONTENT = 600
"""Characters of what the action is about."""
LOST = 40
"""Understanding (0–100) below which nothing has come across."""


class Trait(NamedTuple):
    """A variable of the person's, with what its declaration says that it holds."""

    name: str
    define: str
    value: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}" + (f" ({self.define})" if self.define not in ("", self.name) else "")


@dataclass(frozen=True, slots=True)
class StrategyContext:
    """``understanding``: of the action's last rounds, 0–100, the newest last. ``criteria``: when it ends, as data.
    ``traits``: what the project's profile says that the person is like, by trait, with what is not known empty;
    ``profile``: what else is known. ``direction``: the way of working that this session follows."""

    profile: tuple[Trait, ...] = field(repr=False)
    history: tuple[Line, ...]
    topic: str
    topic_goal: str
    static: str = field(repr=False)
    phase: str
    phase_goal: str
    progress: str
    understanding: tuple[int, ...]
    last: Round | None
    action: str
    subtype: str
    content: str = field(repr=False)
    max_rounds: int | None
    round: int
    criteria: str
    traits: Mapping[str, str] = field(repr=False)
    direction: str = field(repr=False)
    previous: str = field(default="", repr=False)


def context(work: Work, place: next_action.Place) -> StrategyContext:
    """Of the action at ``place``, the running one or one that is yet to come."""
    body, action, held = place.body, place.action, work.state.strategies.get(place.key)
    frame = work.frame if place.running else None
    traits, mapped = _traits(work)
    return StrategyContext(
        profile=tuple(trait for trait in profile(work) if trait.name not in mapped),
        traits=traits,
        direction=fill(work, work.world.script.project.strategies.notes(work.state.direction)),
        history=lines(work)[-MESSAGES:],
        topic=body.name,
        topic_goal=fill(work, body.goal),
        static=strategy_of(work, body),
        phase=place.phase.phase,
        phase_goal=fill(work, place.phase.goal),
        progress=_progress(work),
        understanding=_understanding(work, place),
        last=_last(work.state),
        action=action.type,
        subtype=subtypes.subtype(work, action),
        content=fill(work, action.peek("content"))[:CONTENT],
        max_rounds=frame.max_rounds if frame else action.peek("max_rounds"),
        round=frame.round if frame else 0,
        criteria=_criteria(work, place),
        previous=held.text if held else "",
    )


def profile(work: Work) -> tuple[Trait, ...]:
    """What global and session variables hold; what belongs to a phase or a topic is in the conversation."""
    defines = {variable.var: variable.define for variable in declared(work)}
    held = {**work.variables.cells.get(GLOBAL, {}), **work.variables.cells.get(SESSION, {})}
    newest = sorted(held.items(), key=lambda item: (item[1].updated_at, item[0]), reverse=True)
    known = [(name, value.value) for name, value in newest if value.value not in (None, "", [], {})]
    return tuple(
        Trait(name, _line(defines.get(name, "")), _line(placeholders.format_value(value, work.world.script.locale)))
        for name, value in sorted(known[:TRAITS])
    )


def _traits(work: Work) -> tuple[dict[str, str], set[str]]:
    """The six traits, and the variables that hold those that are known."""
    wanted = work.world.script.project.strategies.profile
    named = {
        "education_level": wanted.education_level,
        "age": wanted.age,
        "psychology_knowledge": wanted.psychology_knowledge,
        "learning_style": wanted.learning_style,
        "current_emotion": wanted.current_emotion,
        "cognitive_ability": wanted.cognitive_ability,
    }
    known = {name: lookup(work, name) for name in named.values() if name}
    shown = {
        trait: _line(placeholders.format_value(known[name], work.world.script.locale))
        if name and known[name] not in (None, "", [], {})
        else ""
        for trait, name in named.items()
    }
    return shown, {str(named[trait]) for trait, text in shown.items() if text}


def _line(text: str) -> str:
    return " ".join(text.split())[:VALUE]


def _progress(work: Work) -> str:
    """How far the phase has come: the topics behind, and how often this one has been begun."""
    return topic_context.prompt_value(work, "completed_topics") or ""


def _understanding(work: Work, place: next_action.Place) -> tuple[int, ...]:
    return strategies.levels(work) if place.running else ()


def _criteria(work: Work, place: next_action.Place) -> str:
    """When the action ends, as its script says: a text, or its criteria."""
    said, criteria = place.action.peek("exit"), place.action.peek("exit_criteria")
    told = criteria.model_dump(mode="json", exclude_defaults=True) if criteria is not None else None
    parts = [fill(work, said), json.dumps(told, ensure_ascii=False) if told else ""]
    return " ".join(part for part in parts if part)


def _last(state: State) -> Round | None:
    """The last round that an action had, whichever that was."""
    return state.rounds[-1] if state.rounds else None


def observed(last: Round | None) -> dict[str, str]:
    """What the model found worth saying of a round."""
    silent = (rounds.UNAVAILABLE, rounds.UNPARSED)
    told = last.metrics.items() if last is not None else ()
    return {name: value for name, value in told if value not in silent and value.strip()}


def stuck(last: Round | None) -> str:
    """``blocked`` or ``off_topic``, where the model said so of a round."""
    return last.suggestion if last is not None and last.suggestion in ("blocked", "off_topic") else ""


def outcome(last: Round | None) -> str:
    """The class by which an action ended with a round, or went on in spite of; nothing where it is no trouble."""
    return last.exit_class if last is not None and last.exit_class != "exit_criteria_met" else ""


def signature(work: Work, place: next_action.Place) -> str:
    """What a strategy rests on, as far as code can tell. As long as it stays the same, so does the strategy."""
    return " ".join(_signs(work, place))


def _signs(work: Work, place: next_action.Place) -> Iterator[str]:
    last, levels = _last(work.state), _understanding(work, place)
    yield stuck(last) or "forward"
    yield outcome(last) or "-"
    yield f"understanding:{_band(levels[-1])}" if levels else "-"
    yield "emotion" if "emotional_intensity" in observed(last) else "-"
    told = "\n".join(f"{trait.name}={trait.value}" for trait in profile(work))
    yield f"profile:{sha256(told.encode()).hexdigest()[:12] if told else '-'}"


def _band(level: int) -> str:
    return "lost" if level < LOST else "partly" if level < UNDERSTOOD else "good"
