"""What simulated sessions come to: outcomes, where visitors were lost, rounds and cost by topic, safety."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from heartrule.language.compiling.script import Script
from heartrule.script_tests.simulation.findings import Finding, findings, is_in_doubt
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.simulated_session import Outcome, Place, SimulatedSession

OUTCOMES: tuple[Outcome, ...] = ("completed", "parted", "left", "timed_out", "stuck")
LOST: tuple[Outcome, ...] = ("parted", "left", "timed_out", "stuck")


@dataclass(slots=True)
class Topic:
    """``id``: ``phase/topic`` or, of a technique, its full id. ``rounds``: of each session that came to it, the
    visitor's turns in it. ``lost``: sessions that did not go on from here, by outcome; ``unfinished``: how often an
    action in it was given up."""

    id: str
    name: str
    rounds: list[int] = field(default_factory=list)
    seconds: float = 0
    spent: ModelSpend = field(default_factory=ModelSpend)
    lost: Counter[Outcome] = field(default_factory=Counter)
    unfinished: Counter[str] = field(default_factory=Counter)

    @property
    def middle(self) -> float:
        return median(self.rounds) if self.rounds else 0


@dataclass(frozen=True, slots=True)
class Phase:
    """``reached``: how many sessions entered it; ``conditional``: not every session is meant to."""

    id: str
    name: str
    reached: int
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Safety:
    """``voiced``: turns in which danger was told of, ``answered`` in that very turn; ``in_doubt``: crisis techniques
    begun because an answer about danger was unclear; ``false_alarms``: begun without either; ``unclaimed``: begun on
    words that the model which plays the visitor said to be no danger."""

    voiced: int
    answered: int
    in_doubt: int
    false_alarms: int
    unclaimed: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Of the sessions of one persona, or of all. ``rounds`` and ``seconds``: of each session, in order; ``where``: the
    last question of those that were lost, most often first; ``misread``: actions whose answers were not understood,
    with how often and the words of the first."""

    sessions: int
    outcomes: dict[Outcome, int]
    rounds: tuple[int, ...]
    seconds: tuple[float, ...]
    spent: ModelSpend
    phases: tuple[Phase, ...]
    topics: tuple[Topic, ...]
    where: tuple[tuple[Place, int], ...]
    misread: tuple[tuple[Place, str, int, str], ...]
    safety: Safety
    findings: tuple[Finding, ...]

    def count(self, kind: str) -> int:
        return sum(each.kind == kind for each in self.findings)


def figures(script: Script, sessions: Sequence[SimulatedSession]) -> Figures:
    outcomes = Counter(held.outcome for held in sessions)
    lost = Counter(held.last for held in sessions if held.outcome in LOST)
    spent = ModelSpend()
    for held in sessions:
        for each in held.exchanges:
            spent += each.spent
    return Figures(
        sessions=len(sessions),
        outcomes={each: outcomes[each] for each in OUTCOMES},
        rounds=tuple(held.rounds for held in sessions),
        seconds=tuple(held.seconds for held in sessions),
        spent=spent,
        phases=tuple(_phases(script, sessions)),
        topics=tuple(_topics(script, sessions)),
        where=tuple(sorted(lost.items(), key=lambda item: (-item[1], str(item[0])))),
        misread=tuple(_misread(sessions)),
        safety=_safety(sessions),
        findings=tuple(each for held in sessions for each in findings(held)),
    )


def _phases(script: Script, sessions: Sequence[SimulatedSession]) -> Iterable[Phase]:
    for node in script.session.phases:
        ident = node.id or node.phase
        yield Phase(ident, node.phase, sum(ident in held.phases for held in sessions), node.condition is not None)


def _topics(script: Script, sessions: Sequence[SimulatedSession]) -> list[Topic]:
    """Those of the script in its order, then the techniques that were called."""
    found = {
        f"{phase.id or phase.phase}/{topic.id or topic.topic}": topic.topic
        for phase in script.session.phases
        for topic in phase.steps
    }
    topics = {ident: Topic(ident, name) for ident, name in found.items()}
    techniques: dict[str, Topic] = {}
    for held in sessions:
        rounds: Counter[str] = Counter()
        for each in held.exchanges:
            if not each.before.topic:
                continue
            topic = _of(each.before, script, topics, techniques)
            rounds[topic.id] += each.move is not None and each.move.kind in ("message", "choice", "form")
            topic.seconds += each.move.seconds if each.move else 0
            topic.spent += each.spent
            topic.unfinished.update(each.noticed.unfinished)
        for ident, count in rounds.items():
            (topics.get(ident) or techniques[ident]).rounds.append(count)
        if held.outcome in LOST and held.last.topic:
            _of(held.last, script, topics, techniques).lost[held.outcome] += 1
    return [*topics.values(), *(techniques[ident] for ident in sorted(techniques))]


def _of(place: Place, script: Script, topics: dict[str, Topic], techniques: dict[str, Topic]) -> Topic:
    ident = f"{place.phase}/{place.topic}"
    if ident in topics:
        return topics[ident]
    skill = script.skills.get(place.topic)
    return techniques.setdefault(place.topic, Topic(place.topic, skill.skill if skill else place.topic))


def _misread(sessions: Sequence[SimulatedSession]) -> list[tuple[Place, str, int, str]]:
    """Action, reason, how often, and the words of the first."""
    times: Counter[tuple[Place, str]] = Counter()
    first: dict[tuple[Place, str], str] = {}
    for held in sessions:
        for each in held.exchanges:
            for misread in each.noticed.misread:
                key = (each.before, misread.reason)
                times[key] += 1
                first.setdefault(key, each.move.words if each.move else "")
    rows = [(place, reason, count, first[place, reason]) for (place, reason), count in times.items()]
    return sorted(rows, key=lambda row: (-row[2], str(row[0]), row[1]))


def _safety(sessions: Sequence[SimulatedSession]) -> Safety:
    turns = [each for held in sessions for each in held.exchanges]
    voiced = [each for each in turns if each.move and each.move.danger]
    kinds = Counter(finding.kind for held in sessions for finding in findings(held))
    return Safety(
        voiced=len(voiced),
        answered=sum(each.noticed.met for each in voiced),
        in_doubt=sum(is_in_doubt(each) for each in turns),
        false_alarms=kinds["false_alarm"],
        unclaimed=kinds["unclaimed"],
    )
