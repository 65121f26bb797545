"""Finding a few of very many memories of one person: by words, by spelling, by meaning where vectors of meaning are
there, by time; ranked together.

The whole of it lies in a few arrays. Terms are numbers that a key of the person has made of words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from heartrule.memory import lexical
from heartrule.memory.item import Item, Kind
from heartrule.memory.score_comparison import SCORES, since
from heartrule.memory.time_words import Span
from heartrule.memory.tokens import kept

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
_CODES = {kind: code for code, kind in enumerate(get_args(Kind))}
Hash = Callable[[str], int]
"""What a term is under the person's key: 32 bits."""
WORDS, SPELLING, MEANING, FRESH, WEIGHT, TIMELY = 1.0, 0.35, 0.8, 0.12, 0.08, 0.5
"""What each way of finding counts for when they are mixed."""
FIRST = 200
"""The best by each way, which are looked at more closely."""
_K, _B = 1.2, 0.5
"""Of BM25: how soon more of the same term stops counting, and how much a long text is held back."""
BESIDES = 0.5
"""The most that what speaks for a text without being asked for counts, of the best that words have found."""
NEAR = 0.3
"""The share of the best score from which on it says more when something was said."""
SAME = 0.93
"""How like two spellings are that say the same."""
OLD = 0.35
"""How much is left of the score of what is not so any more."""


@dataclass(frozen=True, slots=True)
class Query:
    """``terms``: what is looked for, weighed, under the person's key; ``besides``: what speaks for a text without being
    asked for. ``spelling``: its lexical vector; ``meaning``: its vector of meaning, where there is one. ``span``: the
    time it asks about. ``kinds``: only these (empty: all). ``without``: the session whose messages from ``since`` on
    are in sight anyway."""

    terms: Mapping[int, float]
    besides: Mapping[int, float] = field(default_factory=dict)
    spelling: NDArray[np.int8] | None = None
    meaning: NDArray[np.int8] | None = None
    span: Span | None = None
    kinds: frozenset[str] = frozenset()
    only: str = ""
    without: str = ""
    since: int = 0
    compared: bool = False
    """How it was then is asked beside how it is: of each score the one of ``span`` and the newest come first, and be it
    in sight: a conversation shows the form, not what it came to."""
    outdated: bool = False
    """What is not so any more counts as much as what is: the question is about what was."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Where it lies (block, place in it), how near it is, and which ways have found it."""

    block: int
    place: int
    score: float
    ways: tuple[str, ...]


def packed(items: Sequence[Item], texts: Sequence[str], hash_: Hash) -> bytes:
    """What is kept of some items to find them by. ``texts``: what each is found by."""
    import numpy as np

    terms = [np.unique(np.array([hash_(each) for each in kept(text)], dtype=np.uint32)) for text in texts]
    head = json.dumps(
        {
            "at": [round(each.at.timestamp()) for each in items],
            "kind": [each.kind for each in items],
            "weight": [round(each.importance, 3) for each in items],
            "message": [each.message for each in items],
            "old": [at for at, each in enumerate(items) if each.old],
            "subject": [hash_(each.subject) if each.subject else 0 for each in items],
            "counts": [len(each) for each in terms],
        },
        separators=(",", ":"),
    ).encode()
    vectors = b"".join(lexical.vector(text).tobytes() for text in texts)
    return len(head).to_bytes(4, "little") + head + b"".join(each.tobytes() for each in terms) + vectors


@dataclass(slots=True)
class Block:
    """What was packed, opened. ``meaning``: vectors of meaning, one an item, if they have been made. ``version``: of
    what it was made of."""

    session: str
    number: int
    head: Mapping[str, Any]
    terms: NDArray[np.uint32] = field(repr=False)
    spelling: NDArray[np.int8] = field(repr=False)
    meaning: NDArray[np.int8] | None = field(default=None, repr=False)
    version: str = ""

    @property
    def size(self) -> int:
        return len(self.head["at"])


def opened(session: str, number: int, data: bytes, meaning: bytes | None = None, version: str = "") -> Block:
    import numpy as np

    length = int.from_bytes(data[:4], "little")
    head = json.loads(data[4 : 4 + length])
    count = sum(head["counts"])
    terms = np.frombuffer(data, np.uint32, count, 4 + length)
    vectors = np.frombuffer(data, np.int8, -1, 4 + length + 4 * count)
    shaped = None if meaning is None else np.frombuffer(meaning, np.int8).reshape(len(head["at"]), -1)
    return Block(session, number, head, terms, vectors.reshape(-1, lexical.SIZE), shaped, version)


class Index:
    """Of all blocks of one person in one project."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        import numpy as np

        self.blocks = list(blocks)
        sizes = np.array([each.size for each in blocks], dtype=np.int64)
        self.count = int(sizes.sum())
        self._block = np.repeat(np.arange(len(blocks)), sizes)
        self._place = np.concatenate([np.arange(n) for n in sizes]) if len(blocks) else np.empty(0, np.int64)
        self._at = _joined([each.head["at"] for each in blocks], np.float64)
        self._weight = _joined([each.head["weight"] for each in blocks], np.float32)
        self._message = _joined([each.head["message"] for each in blocks], np.int64)
        self._kind = np.array([_CODES[kind] for each in blocks for kind in each.head["kind"]], dtype=np.int8)
        self._old = np.zeros(self.count, dtype=bool)
        counts = _joined([each.head["counts"] for each in blocks], np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        for at, each in enumerate(blocks):
            self._old[starts[at] + np.array(each.head["old"], dtype=np.int64)] = True
        self._subject = _joined([each.head["subject"] for each in blocks], np.int64)
        self._old |= _replaced(self._subject, self._at, self._message)
        length = counts / (counts.mean() if self.count else 1.0)
        self._norm = (_K + 1) / (1 + _K * (1 - _B + _B * length))
        terms = np.concatenate([each.terms for each in blocks]) if blocks else np.empty(0, np.uint32)
        pairs = (terms.astype(np.uint64) << np.uint64(32)) | np.repeat(np.arange(self.count, dtype=np.uint64), counts)
        pairs.sort()
        self._terms, self._docs = (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)
        self._spelling = np.concatenate([each.spelling for each in blocks], dtype=np.float32) if blocks else None
        meaning = [each.meaning for each in blocks if each.meaning is not None]
        whole = meaning and len(meaning) == len(blocks) and len({each.shape[1] for each in meaning}) == 1
        self._meaning = np.concatenate(meaning, dtype=np.float32) if whole else None
        self.bytes = int(pairs.nbytes) * 2 + self.count * (4 * lexical.SIZE + 64)

    def search(self, query: Query, most: int) -> list[Hit]:
        """The nearest first."""
        import numpy as np

        if not self.count:
            return []
        words = self._words(query.terms)
        most_besides = BESIDES * words.max(initial=0.0) or np.inf  # in few texts a rare sign weighs more than any word
        words += np.minimum(self._words(query.besides), most_besides)
        spelling = self._cosine(self._spelling, query.spelling)
        meaning = self._cosine(self._meaning, query.meaning)
        timely = self._timely(query.span)
        score = WORDS * words / (float(words.max()) or 1.0) + SPELLING * spelling * (spelling > 0.15)
        score += MEANING * meaning + TIMELY * timely
        first = self._compared(query)
        fits = self._fits(query) & (score > 0.05)
        fits[first] = False
        found = np.flatnonzero(fits)
        if not len(found):
            return [self._hit(at, 1.0, ("time",)) for at in first[:most]]
        order = np.argsort(self._at[found], kind="stable")
        fresh = np.empty(len(found), np.float32)
        fresh[order] = np.linspace(0, 1, len(found), dtype=np.float32)
        final = score[found] + FRESH * fresh + WEIGHT * self._weight[found]
        if not query.outdated:
            final = np.where(self._old[found], final * OLD, final)
        order = np.argsort(-final, kind="stable")[:FIRST]
        best = self._each_once(found[order], most)
        if not query.outdated:
            best = self._newest_first(best, score)
        scores = dict(zip(found.tolist(), final.tolist(), strict=True))
        ways = (("words", words), ("lexical", spelling), ("semantic", meaning), ("time", timely))
        return [
            *(self._hit(at, float(final.max()), ("time",)) for at in first),
            *(self._hit(at, scores[at], tuple(name for name, by in ways if by[at] > 0.15)) for at in best.tolist()),
        ][:most]

    def _hit(self, at: int, score: float, ways: tuple[str, ...]) -> Hit:
        return Hit(int(self._block[at]), int(self._place[at]), score, ways)

    def _compared(self, query: Query) -> list[int]:
        """Of each of the newest scores: how it is, and how it was then, if it was looked at about then."""
        import numpy as np

        if not query.compared or query.span is None:
            return []
        middle, last = query.span.middle.timestamp(), query.span.last.timestamp()
        first = since(query.span).timestamp()
        held = np.flatnonzero(self._fits(replace(query, without="")) & (self._kind == _CODES["score"]))
        held = held[np.argsort(-self._at[held], kind="stable")]
        chosen: list[int] = []
        for subject in list(dict.fromkeys(self._subject[held].tolist()))[:SCORES]:
            own = held[self._subject[held] == subject]
            about = own[(self._at[own] >= first) & (self._at[own] <= last)]
            then = about[np.argmin(np.abs(self._at[about] - middle), keepdims=True)] if len(about) else about
            chosen += list(dict.fromkeys((int(own[0]), *then.tolist())))
        return chosen

    def _each_once(self, best: NDArray[np.int64], most: int) -> NDArray[np.int64]:
        """Of what was made of one message, and of what is said again and again in the same words, the nearest: the rest
        says the same, and takes the room of what says something else."""
        import numpy as np

        if self._spelling is None:
            return best[:most]
        vectors = self._spelling[best] / np.float32(127)
        chosen: list[int] = []
        seen: set[tuple[str, int]] = set()
        for at, item in enumerate(best.tolist()):
            said = self.blocks[self._block[item]].session, int(self._message[item])
            if said in seen or (chosen and float((vectors[chosen] @ vectors[at]).max()) >= SAME):
                continue
            seen.add(said)
            chosen.append(at)
            if len(chosen) == most:
                break
        return best[chosen]

    def _newest_first(self, best: NDArray[np.int64], score: NDArray[np.float32]) -> NDArray[np.int64]:
        """Those that are about as near as the nearest, by time: what was said last is how it is now."""
        import numpy as np

        near = score[best] >= NEAR * score[best].max(initial=0.0)
        order = np.lexsort((-self._message[best], -self._at[best]))
        return np.concatenate([best[order][near[order]], best[~near]])

    def _words(self, wanted: Mapping[int, float]) -> NDArray[np.float32]:
        import numpy as np

        sought = np.fromiter(wanted, dtype=np.uint32, count=len(wanted))  # of the same kind: else all is converted
        lows, highs = (np.searchsorted(self._terms, sought, side=side) for side in _SIDES)
        held = np.flatnonzero(highs > lows)
        if not len(held):
            return np.zeros(self.count, dtype=np.float32)
        lows, times = lows[held], (highs - lows)[held]
        weigh = np.fromiter(wanted.values(), dtype=np.float64, count=len(wanted))[held]
        rare = weigh * np.log(1 + (self.count - times + 0.5) / (times + 0.5))
        docs = np.concatenate([self._docs[low : low + n] for low, n in zip(lows.tolist(), times.tolist(), strict=True)])
        found = np.bincount(docs, np.repeat(rare, times) * self._norm[docs], self.count)
        score: NDArray[np.float32] = found.astype(np.float32)
        return score

    def _cosine(self, of: NDArray[np.float32] | None, wanted: NDArray[np.int8] | None) -> NDArray[np.float32]:
        import numpy as np

        if of is None or wanted is None or of.shape[1] != wanted.shape[0]:
            return np.zeros(self.count, dtype=np.float32)
        found = of @ wanted.astype(np.float32) / np.float32(127 * 127)
        nearer: NDArray[np.float32] = np.maximum(found, 0)
        return nearer

    def _timely(self, span: Span | None) -> NDArray[np.float32]:
        import numpy as np

        if span is None:
            return np.zeros(self.count, dtype=np.float32)
        first, last = span.first.timestamp(), span.last.timestamp()
        return ((self._at >= first) & (self._at < last)).astype(np.float32)

    def _fits(self, query: Query) -> NDArray[np.bool_]:
        import numpy as np

        fits = np.ones(self.count, dtype=bool)
        if query.kinds:
            fits &= np.isin(self._kind, [_CODES[kind] for kind in query.kinds])
        if query.without:
            own = np.array([each.session == query.without for each in self.blocks])[self._block]
            fits &= ~(own & (self._message >= query.since))
        if query.only:
            fits &= np.array([each.session == query.only for each in self.blocks])[self._block]
        return fits

    def standing(self, kinds: Mapping[str, int], sessions: frozenset[str] | None = None) -> list[Hit]:
        """The newest of each kind that have not been replaced, as many of it as is said."""
        import numpy as np

        stands = ~self._old
        if sessions is not None:
            stands &= np.array([each.session in sessions for each in self.blocks])[self._block]
        chosen: list[int] = []
        for kind, most in kinds.items():
            held = np.flatnonzero(stands & (self._kind == _CODES[kind]))
            chosen += held[np.argsort(-self._at[held], kind="stable")][:most].tolist()
        chosen.sort(key=lambda at: (-self._at[at], at))
        return [self._hit(at, 1.0, ("standing",)) for at in chosen]


def _replaced(subject: NDArray[Any], at: NDArray[Any], message: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of them say how something was of which a newer one says how it is. 0: of nothing."""
    import numpy as np

    order = np.lexsort((message, at, subject))
    ordered = subject[order]
    old = np.zeros(len(subject), dtype=bool)
    old[order[:-1]] = (ordered[:-1] == ordered[1:]) & (ordered[:-1] != 0)
    return old


def _joined(parts: Sequence[Sequence[float]], of: Any) -> NDArray[Any]:
    import numpy as np

    return np.array([each for part in parts for each in part], dtype=of)
