"""How well memory finds what was said: every question asked of its history, by the index that sessions use."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

from heartrule.evals.memories import History, Question
from heartrule.memory import derivation
from heartrule.memory.item import Item
from heartrule.memory.tokens_of import tokens_of
from heartrule.sessions.person_memory import wanted
from heartrule.store.recollections import BLOCK, text_of


@dataclass(slots=True)
class Figures:
    """Of the questions of one kind. ``recall``: the share of their evidence that was among what was found, added up;
    ``newest``: how often what counts now stood before what counted once, of ``changed``."""

    asked: int = 0
    recall: float = 0.0
    whole: int = 0
    changed: int = 0
    newest: int = 0
    tokens: int = 0
    seconds: list[float] = field(default_factory=list)

    def data(self) -> dict[str, float | int | None]:
        times = sorted(self.seconds)
        return {
            "asked": self.asked,
            "recall": round(self.recall / self.asked, 4) if self.asked else None,
            "whole": round(self.whole / self.asked, 4) if self.asked else None,
            "newest": round(self.newest / self.changed, 4) if self.changed else None,
            "tokens": round(self.tokens / self.asked) if self.asked else None,
            "median_ms": round(1000 * times[len(times) // 2], 2) if times else None,
        }


@dataclass(frozen=True, slots=True)
class MissedQuestion:
    """A question of which not all evidence was found."""

    history: str
    question: Question
    found: tuple[str, ...]


def run(histories: Sequence[History], k: int) -> tuple[dict[str, Figures], list[MissedQuestion]]:
    """Figures by kind of question, with all of them under ``all``."""
    figures: dict[str, Figures] = defaultdict(Figures)
    missed: list[MissedQuestion] = []
    for history in histories:
        held = _PersonIndex(history)
        for question in history.questions:
            begun = time.perf_counter()
            found = held.find(question.ask, k)
            seconds = time.perf_counter() - begun
            ids = [history.ids.get((each.session, each.message), "") for each in found]
            for kind in (question.kind, "all"):
                _count(figures[kind], question, ids, found, seconds)
            if not set(question.evidence) <= set(ids):
                missed.append(MissedQuestion(history.id, question, tuple(ids)))
    return dict(figures), missed


def _count(into: Figures, question: Question, ids: Sequence[str], found: Sequence[Item], seconds: float) -> None:
    hit = len(set(question.evidence) & set(ids))
    into.asked += 1
    into.recall += hit / len(question.evidence)
    into.whole += hit == len(set(question.evidence))
    into.tokens += sum(tokens_of(each.content) for each in found)
    into.seconds.append(seconds)
    if question.older:
        into.changed += 1
        first = min((ids.index(each) for each in question.evidence if each in ids), default=None)
        older = min((ids.index(each) for each in question.older if each in ids), default=len(ids))
        into.newest += first is not None and first < older


class _PersonIndex:
    """One history as a person's index."""

    def __init__(self, history: History) -> None:
        from heartrule.memory.index import Index, opened, packed

        self._blocks: list[list[Item]] = []
        made = []
        for told in history.told:
            items = derivation.items(told)
            for number, at in enumerate(range(0, len(items), BLOCK), start=1):
                part = items[at : at + BLOCK]
                self._blocks.append(part)
                made.append(opened(told.session, number, packed(part, [text_of(each) for each in part], _number)))
        self._index = Index(made)
        self._now = max((each.at for part in self._blocks for each in part), default=None)

    def find(self, ask: str, k: int) -> list[Item]:
        """The nearest, each message once."""
        if self._now is None:
            return []
        query = wanted(ask, self._now).under(_number)
        found: dict[tuple[str, int], Item] = {}
        for hit in self._index.search(query, k):
            item = self._blocks[hit.block][hit.place]
            found.setdefault((item.session, item.message), item)
        return list(found.values())[:k]


def _number(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass"))
