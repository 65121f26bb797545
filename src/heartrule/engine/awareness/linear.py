"""A linear classifier: one small weight a feature, added up. Read from bytes that somebody else has loaded; pure."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, sqrt
from typing import Any

from heartrule.engine.awareness.features import features
from heartrule.engine.awareness.risk_text import FoldedText, fold
from heartrule.engine.session.classifier import Estimate

FORMAT = 1
SHORT = 40
"""Features that a message counts as having at least: a few words alone weigh little."""
_CLAUSE = re.compile(r"[^!?;,.\n。、]+")
_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
READ_AT_ONCE = 64
LIKELY = 0.5
"""Share of the threshold that is enough beside something doubtful."""


class NoClassifier(ValueError):
    """The bytes hold no classifier that this version reads."""


@dataclass(frozen=True, slots=True)
class Weights:
    """``weights``: a whole number from -127 to 127 a feature, ``step`` what one of them is worth. ``thresholds``: by
    language (``zh``, ``en``), the score from which on it is raised."""

    name: str
    bias: float
    step: float
    thresholds: Mapping[str, float]
    weights: Mapping[str, int] = field(repr=False)

    def packed(self) -> bytes:
        """As a file holds it: the same weights give the same bytes before compression."""
        return zlib.compress(self.plain(), 9)

    def plain(self) -> bytes:
        names = sorted(self.weights)
        head = {
            "format": FORMAT,
            "name": self.name,
            "bias": self.bias,
            "step": self.step,
            "thresholds": dict(sorted(self.thresholds.items())),
            "features": len(names),
        }
        lines = [json.dumps(head), *names]
        return "\n".join(lines).encode() + b"\n" + bytes(self.weights[name] & 0xFF for name in names)


def unpacked(data: bytes) -> Weights:
    """Raises ``NoClassifier``."""
    try:
        plain = zlib.decompress(data)
        head: dict[str, Any] = json.loads(plain[: plain.index(b"\n")])
        if head["format"] != FORMAT:
            raise NoClassifier(f"format {head['format']}, and this version reads {FORMAT}")
        count = int(head["features"])
        values = plain[len(plain) - count :]
        names = plain[: len(plain) - count].decode().split("\n")[1:-1]
        if len(names) != count:
            raise NoClassifier(f"{count} features are announced, {len(names)} are there")
        weights = {name: value - 256 if value > 127 else value for name, value in zip(names, values, strict=True)}
        return Weights(head["name"], float(head["bias"]), float(head["step"]), dict(head["thresholds"]), weights)
    except (zlib.error, KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise NoClassifier(str(error) or type(error).__name__) from None
    except ValueError as error:
        raise error if isinstance(error, NoClassifier) else NoClassifier(str(error)) from None


class LinearClassifier:
    """Linear in the length of the words, which is bounded."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._estimated = lru_cache(READ_AT_ONCE)(self._estimate)

    @property
    def name(self) -> str:
        return self._weights.name

    def estimate(self, text: str) -> Estimate:
        return self._estimated(text)

    def score(self, folded: str) -> float:
        """Of text as ``risk_text.normalise`` gives it."""
        seen = features(folded)
        value = self._weights.bias + self._weights.step * self._sum(seen) / sqrt(max(len(seen), SHORT))
        return 1 / (1 + exp(-max(-30.0, min(30.0, value))))

    def _estimate(self, text: str) -> Estimate:
        folded = fold(text)
        if not folded.text.strip():
            return Estimate(0.0)
        score = self.score(folded.text)
        least = self._weights.thresholds[language(folded.text)]
        raised = score >= least
        return Estimate(score, raised, score >= least * LIKELY, self._heaviest(folded) if raised else "")

    def _sum(self, seen: set[str]) -> int:
        known = self._weights.weights
        return sum(known.get(each, 0) for each in seen)

    def _heaviest(self, folded: FoldedText) -> str:
        """The clause that weighs most, as it was written."""
        clauses = [each for each in _CLAUSE.finditer(folded.text) if each[0].strip()]
        if not clauses:
            return folded.original.strip()
        best = max(clauses, key=lambda each: self._sum(features(each[0])) / sqrt(len(each[0])))
        start, end = folded.span(*best.span())
        return folded.original[start:end].strip()


def language(folded: str) -> str:
    return "zh" if _CJK.search(folded) else "en"
