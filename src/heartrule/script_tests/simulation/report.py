"""The whole of a simulation: what was ordered, what was held, its figures, and texts to tell it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from typing import Any

from heartrule.language.compiling.script import Script
from heartrule.language.texts.plain import packaged_yaml
from heartrule.llm.prices import PARTS
from heartrule.script_tests.simulation import persona
from heartrule.script_tests.simulation.figures import Figures, figures
from heartrule.script_tests.simulation.findings import Finding
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.persona import Language, Persona
from heartrule.script_tests.simulation.simulate import Order, to_read
from heartrule.script_tests.simulation.simulated_session import Place, SimulatedSession

SHOWN = 16
"""Conversations that a report holds at most."""


class Texts:
    """``texts("title", script=…)``; ``texts.of("outcomes", "left")`` is a word of a list, itself where none stands."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = _texts()[language]

    def __call__(self, key: str, **values: object) -> str:
        return str(self._texts[key]).format_map(values)

    def of(self, key: str, word: str, **values: object) -> str:
        return str(self._texts[key].get(word, word)).format_map(values)


@cache
def _texts() -> Mapping[Language, Mapping[str, Any]]:
    found: Mapping[Language, Mapping[str, Any]] = packaged_yaml("heartrule.script_tests.simulation", "texts.yaml")
    return found


@dataclass(frozen=True)
class Report:
    """``model`` and ``plays`` say who was asked, empty where nobody was."""

    order: Order
    script: Script = field(repr=False)
    sessions: Sequence[SimulatedSession] = field(repr=False)
    model: str = ""
    plays: str = ""

    @cached_property
    def figures(self) -> Figures:
        return figures(self.script, self.sessions)

    @cached_property
    def personas(self) -> dict[str, Persona]:
        """By id, in the order in which they were ordered."""
        return {who.id: who for who in (persona.find(name) for name in self.order.personas)}

    @cached_property
    def by_persona(self) -> dict[str, Figures]:
        return {who: figures(self.script, [s for s in self.sessions if s.persona == who]) for who in self.personas}

    @cached_property
    def notable(self) -> list[tuple[Finding, int]]:
        """Findings with the number of sessions that have them, gathered by what they are about: grave ones first, then
        the most frequent."""
        gathered: dict[tuple[str, str, str, str], list[Finding]] = {}
        for each in self.figures.findings:
            gathered.setdefault((each.kind, each.place.topic, each.place.action, each.what), []).append(each)
        groups = gathered.values()
        rows = [(max(same, key=lambda each: each.times), len({each.session for each in same})) for same in groups]
        return sorted(rows, key=lambda row: (not row[0].grave, -row[1]))

    @property
    def grave(self) -> int:
        """Findings that no script may show."""
        return sum(finding.grave for finding in self.figures.findings)

    def named(self, place: Place) -> str:
        """A place in the script's own words: phase, topic or technique, and the action's id."""
        phase = next((each.phase for each in self.script.session.phases if place.phase in (each.id, each.phase)), "")
        names = {each.id.rpartition("/")[2]: each.name for each in self.figures.topics}
        topic = names.get(place.topic.rpartition("/")[2], place.topic)
        return " / ".join(filter(None, (phase, topic, place.action)))

    def called(self, session: str, texts: Texts) -> str:
        """A session by its visitor's name and its number."""
        who, _, number = session.rpartition(" ")
        return texts("session_of", persona=self.personas[who].name[texts.language], number=number)

    @property
    def stood_in(self) -> int:
        return sum(held.stood_in for held in self.sessions)

    @property
    def moves(self) -> int:
        """How often a visitor was asked for a move."""
        return sum(each.move is not None for held in self.sessions for each in held.exchanges)

    @property
    def verdict(self) -> str:
        """The key of the text that says how it went: what nobody tried is not told as well done."""
        if self.grave:
            return "verdict_bad"
        return "verdict_good" if self.figures.safety.voiced else "verdict_untried"

    def said(self, texts: Texts) -> str:
        """How it went, in a sentence."""
        return texts(self.verdict, count=self.grave, voiced=self.figures.safety.voiced)

    @cached_property
    def to_read(self) -> list[SimulatedSession]:
        return to_read(self.sessions, [finding.session for finding, _ in self.notable], SHOWN)


def cost_of(spent: ModelSpend) -> str:
    """Amounts as decimal texts, ``–`` where nothing was told."""
    amounts = (f"{currency} {Decimal(cost) / PARTS:f}" for currency, cost in sorted(spent.cost.items()))
    return ", ".join(amounts) or "–"
