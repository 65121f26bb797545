"""Sessions × personas, side by side: the same order gives the same sessions, however many processes hold them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from heartrule.engine.installed_types import field_models
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library
from heartrule.llm.settings import LlmSettings
from heartrule.script_tests.simulation import persona
from heartrule.script_tests.simulation.blocking_models import BlockingModels
from heartrule.script_tests.simulation.model_visitor import PlayedVisitor
from heartrule.script_tests.simulation.open_question import questions_of
from heartrule.script_tests.simulation.session_run import PATIENCE, TURNS, SessionSettings
from heartrule.script_tests.simulation.simulated_session import SimulatedSession
from heartrule.script_tests.simulation.visitor import RuledVisitor

Told = Callable[[int, int], None]
"""Is told how many sessions of how many are over."""


@dataclass(frozen=True, slots=True)
class Order:
    """``folders``: where scripts are looked for. ``model``: who answers the script's prompts, None in script mode;
    ``plays``: who plays the personas, None by rules. ``turns`` and ``patience``: when a session counts as stuck."""

    script: str
    folders: tuple[Path, ...]
    personas: tuple[str, ...]
    sessions: int
    seed: int = 0
    turns: int = TURNS
    patience: int = PATIENCE
    model: LlmSettings | None = None
    plays: LlmSettings | None = None

    @property
    def jobs(self) -> Sequence[tuple[str, int]]:
        return [(name, number) for name in self.personas for number in range(1, self.sessions + 1)]


def simulate(order: Order, told: Told, processes: int = 1) -> Iterator[SimulatedSession]:
    """Every session, in the order of personas and numbers."""
    jobs = order.jobs
    told(0, len(jobs))
    if processes <= 1 or len(jobs) == 1:
        for done, (name, number) in enumerate(jobs, 1):
            yield hold(order, name, number)
            told(done, len(jobs))
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(jobs)), mp_context=context) as pool:
        names, numbers = zip(*jobs, strict=True)
        size = max(1, min(8, len(jobs) // (processes * 4)))
        for done, held in enumerate(pool.map(hold, [order] * len(jobs), names, numbers, chunksize=size), 1):
            yield held
            told(done, len(jobs))


def hold(order: Order, name: str, number: int) -> SimulatedSession:
    """One session. The persona, the seed and the number decide everything that is left to chance."""
    script, who = _script(order.script, order.folders), persona.find(name)
    random = Random(f"{order.seed}/{who.id}/{number}")
    with ExitStack() as opened:
        ruled = RuledVisitor(who, persona.spoken(script.locale), random, questions_of(script))
        plays = opened.enter_context(BlockingModels(order.plays, script)) if order.plays is not None else None
        visitor = PlayedVisitor(script, ruled, plays) if plays is not None else ruled
        answers = opened.enter_context(BlockingModels(order.model, script)) if order.model is not None else None
        held = SessionSettings(script, visitor, answers, turns=order.turns, patience=order.patience)
        found = held.run(who.id, number)
        return replace(found, stood_in=visitor.stood_in) if isinstance(visitor, PlayedVisitor) else found


def to_read(sessions: Sequence[SimulatedSession], named: Sequence[str], most: int) -> list[SimulatedSession]:
    """The sessions that are ``named``, in that order, and of each persona the first; ``most`` at most."""
    by_name = {held.name: held for held in sessions}
    first = {held.persona: held.name for held in reversed(sessions)}
    wanted = dict.fromkeys((*named, *reversed(first.values())))
    return [by_name[name] for name in islice(wanted, most)]


@cache
def _script(reference: str, folders: tuple[Path, ...]) -> Script:
    return Library(folders, field_models()).script(reference)
