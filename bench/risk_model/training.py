"""Logistic regression over the features that the engine reads, with weights in whole numbers. The same rows give the
same weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import Any

import numpy as np
from bench.risk_model.data import EVERYDAY, OWN, POSTS, PROSE, SAID, Row
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from heartrule.engine.awareness.features import features
from heartrule.engine.awareness.linear import SHORT, Weights
from heartrule.engine.awareness.risk_text import normalise

WEIGHS = {POSTS: 0.5, SAID: 1.0, OWN: 3.0, EVERYDAY: 1.5, PROSE: 1.0}
"""What a row from there weighs beside an author's sentence."""
SEEN_IN = 2
"""Sentences that a feature must stand in."""
MOST = 80_000
"""Features that are kept: those that weigh most."""
STRENGTH = 30.0
"""Inverse of the regularisation."""
BAYES = 0.5
"""Share of naive Bayes that is added to each weight: it gives features their due that regression leaves to others."""
FULL = 127


@dataclass(frozen=True, slots=True)
class Seen:
    """Rows as the model sees them: a row of ``matrix`` each, scaled to unit length."""

    rows: tuple[Row, ...]
    names: tuple[str, ...]
    matrix: Any


def seen(rows: Sequence[Row]) -> Seen:
    found = [features(normalise(row.text)) for row in rows]
    names = tuple(sorted({name for each in found for name in each}))
    at = {name: number for number, name in enumerate(names)}
    columns = [sorted(at[name] for name in each) for each in found]
    values = np.concatenate([np.full(len(each), 1 / sqrt(max(len(each), SHORT))) for each in columns])
    ends = np.cumsum([0, *map(len, columns)])
    matrix = csr_matrix((values, np.concatenate(columns), ends), shape=(len(rows), len(names)))
    return Seen(tuple(rows), names, matrix)


def trained(whole: Seen, chosen: Sequence[int], name: str, thresholds: Mapping[str, float]) -> Weights:
    """From the rows whose numbers are ``chosen``."""
    rows = [whole.rows[number] for number in chosen]
    part = whole.matrix[list(chosen)]
    kept = np.flatnonzero(part.getnnz(axis=0) >= SEEN_IN)
    part, danger = part[:, kept], np.array([row.danger for row in rows])
    weight = np.array([WEIGHS.get(row.author, 1.0) for row in rows])
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300, random_state=0)
    model.fit(part, danger, sample_weight=weight)
    values = model.coef_[0] + BAYES * _log_odds(part, danger, weight)
    return _quantised(name, [whole.names[number] for number in kept], values, float(model.intercept_[0]), thresholds)


def _log_odds(part: Any, danger: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """How much more often each feature stands in danger than elsewhere, smoothed by one."""
    stands = (part > 0).astype(float)
    with_it, without = (weight * danger) @ stands + 1, (weight * ~danger) @ stands + 1
    return np.asarray(np.log(with_it / with_it.sum()) - np.log(without / without.sum()))


def _quantised(
    name: str, names: Sequence[str], values: np.ndarray, bias: float, thresholds: Mapping[str, float]
) -> Weights:
    """The few largest weights are cut off, so that small ones are not lost."""
    step = float(np.quantile(np.abs(values), 0.9995)) / FULL
    whole = np.clip(np.rint(values / step), -FULL, FULL).astype(int)
    heaviest = np.argsort(-np.abs(whole), kind="stable")[:MOST]
    weights = {names[number]: int(whole[number]) for number in sorted(heaviest) if whole[number]}
    return Weights(name, round(bias, 4), round(step, 6), thresholds, weights)


def called(rows: Sequence[Row]) -> str:
    """A name that tells other data apart."""
    told = "\n".join(f"{row.author}\t{int(row.danger)}\t{row.text}" for row in rows)
    authors = Counter(row.author for row in rows if row.author not in WEIGHS)
    return f"own-danger-{len(authors)}-{sha256(told.encode()).hexdigest()[:8]}"
