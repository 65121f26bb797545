"""How good each session of a project is, from 0 to 100, and what lowers it: what the check finds, how much of it tests
come to, how many changes of it they notice, how simulated visitors fare, and how long and how deep it is."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from heartrule.authoring.project_map import TESTS
from heartrule.authoring.workspace import Workspace
from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.nodes import Action, Node, Session
from heartrule.language.references import identity
from heartrule.script_tests.case import Case
from heartrule.script_tests.case_files import parse_cases
from heartrule.script_tests.case_run import run
from heartrule.script_tests.coverage import Item, reached
from heartrule.script_tests.mutant_script import mutated
from heartrule.script_tests.mutation import Mutant, mutants
from heartrule.script_tests.simulation import persona
from heartrule.script_tests.simulation.findings import GRAVE, findings
from heartrule.script_tests.simulation.open_question import questions_of
from heartrule.script_tests.simulation.session_run import SessionSettings
from heartrule.script_tests.simulation.visitor import RuledVisitor
from heartrule.workbench.project_tests import own_items, script_of
from heartrule.workbench.trial import compiled

Name = Literal["findings", "coverage", "mutants", "simulation", "size"]
Limit = Literal["topics", "steps", "nesting"]
MOST = 20
"""Points of each part."""
LIMITS: Mapping[Limit, int] = {"topics": 30, "steps": 25, "nesting": 3}
"""Where the project says nothing else."""
SECONDS = 45.0
"""For tests and mutants of a project; what there is no time for is not counted."""
MUTANTS = 60
"""Tried of each session, spread over all."""
VISITORS = ("cooperative", "terse", "contradicting", "confused", "at_risk")
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Part:
    """``measured`` False: it could not be, and brings no points. ``lowers``: what keeps it from all of them."""

    name: Name
    points: int
    measured: bool
    lowers: tuple[Bilingual, ...]


@dataclass(frozen=True, slots=True)
class Score:
    script: str
    name: str
    parts: tuple[Part, ...]

    @property
    def score(self) -> int:
        return sum(each.points for each in self.parts)


@dataclass(frozen=True, slots=True)
class _PassedTest:
    """A test that passed, and where it was."""

    case: Case
    script: Script
    items: frozenset[Item]


def scores(workspace: Workspace) -> list[Score]:
    """Of every session of the project."""
    until = time.monotonic() + SECONDS
    ran, failed = _ran(workspace, until)
    return [_score(workspace, session, ran, failed, until) for session in workspace.now.project.sessions]


def _score(workspace: Workspace, session: Session, ran: Sequence[_PassedTest], failed: int, until: float) -> Score:
    name = identity(session)
    try:
        script = compiled(workspace, name, None)
    except Refused:
        missing = Bilingual("脚本有错误，不能进行会谈", "the script has errors and cannot be held")
        unmeasured: tuple[Name, ...] = ("coverage", "mutants", "simulation")
        parts = [Part(each, 0, False, (missing,)) for each in unmeasured]
        return Score(name, session.session, (_findings(workspace, session), *parts, _size(workspace, session)))
    parts = [
        _findings(workspace, session),
        _coverage(workspace, script, ran, failed),
        _mutants(workspace, script, ran, until),
        _simulation(script),
        _size(workspace, session),
    ]
    return Score(name, session.session, tuple(parts))


def _findings(workspace: Workspace, session: Session) -> Part:
    """Errors cost five points, warnings one."""
    found = workspace.now.findings_of(session.place.file)
    errors = [each for each in found if each.severity == "error"]
    lost = 5 * len(errors) + len(found) - len(errors)
    told = [
        Bilingual(f"第 {each.line} 行 {each.code} {each.message.zh}", f"line {each.line} {each.code} {each.message.en}")
        for each in (*errors, *(each for each in found if each.severity != "error"))
    ]
    return Part("findings", max(0, MOST - lost), True, _few(told))


def _coverage(workspace: Workspace, script: Script, ran: Sequence[_PassedTest], failed: int) -> Part:
    every = own_items(workspace, script)
    come_to = frozenset(item for each in ran for item in each.items) & every
    missed = sorted(item.id for item in every - come_to)
    told = [Bilingual(f"没有测试走到 {each}", f"no test comes to {each}") for each in missed]
    if failed:
        told.insert(0, Bilingual(f"有 {failed} 个测试没过", f"tests that fail: {failed}"))
    share = len(come_to) / len(every) if every else 1.0
    return Part("coverage", 0 if failed else int(MOST * share), True, _few(told))


def _mutants(workspace: Workspace, script: Script, ran: Sequence[_PassedTest], until: float) -> Part:
    """Of what could be taken away, how much a test notices."""
    own = [each for each in mutants([script]) if each.project == workspace.now.project.id]
    step = max(1, -(-len(own) // MUTANTS))
    tried, noticed, told = 0, 0, list[Bilingual]()
    for mutant in own[::step]:
        if time.monotonic() > until:
            break
        tried += 1
        if _is_noticed(mutant, ran):
            noticed += 1
        else:
            told.append(Bilingual(f"拿掉 {mutant.id}，没有测试发现", f"no test notices when {mutant.id} is taken away"))
    if not tried:
        return Part("mutants", 0, False, (Bilingual("没有来得及试", "there was no time to try any"),) if own else ())
    return Part("mutants", MOST * noticed // tried, True, _few(told))


def _is_noticed(mutant: Mutant, ran: Iterable[_PassedTest]) -> bool:
    for each in ran:
        if mutant.root == "session" and mutant.ref != each.script.id:
            continue
        if not mutant.points & {(item.kind, item.id) for item in each.items} and not mutant.variable:
            continue
        changed = mutated(each.script, mutant)
        if changed is not None and not run(each.case, changed, hasty=True).passed:
            return True
    return False


def _simulation(script: Script) -> Part:
    """Visitors by rules, without a model: each counts who comes to an end as a visitor may, with nothing grave."""
    good, told = 0, list[Bilingual]()
    for name in VISITORS:
        who = persona.find(name)
        visitor = RuledVisitor(who, persona.spoken(script.locale), Random(f"0/{who.id}/1"), questions_of(script))
        held = SessionSettings(script, visitor).run(who.id, 1)
        grave = [each for each in findings(held) if each.kind in GRAVE]
        if held.outcome != "stuck" and not grave:
            good += 1
            continue
        why = ", ".join(
            dict.fromkeys([*(each.kind for each in grave), *([held.why] if held.outcome == "stuck" else [])])
        )
        told.append(Bilingual(f"模拟的来访者 {name}：{why}", f"simulated visitor {name}: {why}"))
    return Part("simulation", MOST * good // len(VISITORS), True, _few(told))


def _size(workspace: Workspace, session: Session) -> Part:
    """What is beyond the project's limits costs as much as it is beyond them, up to all."""
    limits = {name: workspace.now.project.node.limits.get(name, usual) for name, usual in LIMITS.items()}
    told, lost = list[Bilingual](), 0.0
    topics = [topic for phase in session.phases for topic in phase.steps]
    for over, said in _beyond(len(topics), limits["topics"], "话题", "topics", session.session):
        lost += over
        told.append(said)
    for topic in topics:
        for over, said in _beyond(len(topic.actions), limits["steps"], "步", "steps", topic.topic):
            lost += over
            told.append(said)
        deep = max((_depth(each) for each in topic.actions), default=0)
        for over, said in _beyond(deep, limits["nesting"], "层", "levels", topic.topic):
            lost += over
            told.append(said)
    return Part("size", max(0, MOST - round(MOST * lost)), True, _few(told))


def _beyond(number: int, limit: int, zh: str, en: str, where: str) -> Iterator[tuple[float, Bilingual]]:
    if number > limit:
        told = Bilingual(f"“{where}”有 {number} {zh}，多于 {limit}", f"“{where}” has {number} {en}, more than {limit}")
        yield (number - limit) / limit, told


def _depth(node: Node) -> int:
    """Levels of steps within steps."""
    below = max((_depth(child) for _, child in node.children()), default=0)
    return below + isinstance(node, Action)


def _few(told: Sequence[Bilingual]) -> tuple[Bilingual, ...]:
    more = len(told) - SHOWN
    return (*told[:SHOWN], Bilingual(f"还有 {more} 处", f"and {more} more")) if more > 0 else tuple(told)


def _ran(workspace: Workspace, until: float) -> tuple[list[_PassedTest], int]:
    """The tests that pass, and how many do not."""
    passed, failed = list[_PassedTest](), 0
    scripts: dict[tuple[str, str | None], Script | Refused] = {}
    for file, text in sorted(workspace.texts.items()):
        if not file.endswith(TESTS):
            continue
        known = parse_cases(text, file)
        for case in known.cases:
            if case.by in ("live", "recorded") or time.monotonic() > until:
                continue
            script = script_of(workspace, known, case, scripts)
            if isinstance(script, Refused):
                failed += 1
                continue
            done = run(case, script)
            if done.passed:
                passed.append(_PassedTest(case, script, reached(script, done.events)))
            else:
                failed += 1
    return passed, failed
