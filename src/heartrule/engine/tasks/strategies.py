"""The strategies that are at hand: which one a prompt is told, and under which a round is. How they come about is in
``strategy.py``."""

from __future__ import annotations

from typing import ClassVar

from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.state import State, Strategy
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

LEVELS = 4


class StrategyUse(ActionState):
    """Of an adaptive action: the number of the strategy that its last words were made under, and how well it was
    understood in its rounds."""

    section: ClassVar[str] = "adapted"

    strategy: int = 0
    understood: list[int] = []


def at_hand(work: Work) -> Strategy | None:
    """Of the running action; what was prepared before its topic had a key counts too."""
    running = work.state.running
    if running is None or running.action is None or not work.state.strategies:
        return None
    return next((work.state.strategies[key] for key in _keys(work) if key in work.state.strategies), None)


def _keys(work: Work) -> tuple[str, str]:
    name = work.frame.id
    return f"{work.running.key} {name}", f"{unstarted(work.phase_frame.id, work.running.ref)} {name}"


def unstarted(phase: str, topic: str) -> str:
    """What a topic is called as long as it has no key, its phase not having been entered."""
    return f"{phase}/{topic}"


def prompt_line(work: Work) -> str:
    """For the prompt of the running action. Nothing where none has been prepared: the script's own ``strategy`` stands
    there anyway."""
    held = at_hand(work)
    return held.text if held is not None else ""


def prompt_line_of(state: State, topic: str, name: str) -> str:
    """Of another action."""
    held = state.strategies.get(f"{topic} {name}")
    return held.text if held is not None else ""


def waited_for(work: Work, action: Action, topic: str, name: str) -> bool:
    """Whether an action that is yet to come will wait for a strategy before its first words."""
    first = work.world.script.project.strategies.first_words
    return first and bool(action.peek("adaptive")) and not prompt_line_of(work.state, topic, name)


def spoken(work: Work) -> None:
    """The running action has said something: under which strategy."""
    held = at_hand(work)
    if held is not None:
        StrategyUse.of(work.frame).strategy = held.number
    elif under(work):
        StrategyUse.of(work.frame).strategy = 0


def under(work: Work) -> int:
    """The number of the strategy under which the running action's last words were made; 0: of none."""
    return StrategyUse.of(work.frame).strategy


def understood(work: Work, level: float) -> None:
    """How well the running action was understood in its present round (0–100)."""
    state = StrategyUse.of(work.frame)
    state.understood = [*state.understood, round(level)][-LEVELS:]


def levels(work: Work) -> tuple[int, ...]:
    """How well it was understood in its last rounds."""
    return tuple(StrategyUse.of(work.frame).understood)


def forget(work: Work) -> None:
    """The running action has ended: it may come again, but then the situation is another."""
    for key in _keys(work) if work.state.strategies else ():
        work.state.strategies.pop(key, None)
