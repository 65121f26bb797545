"""How far chance alone reaches: 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean

Z = 1.959964
SAMPLES = 4000


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Of a share (Wilson 1927); the whole range where nothing was counted."""
    if not of:
        return 0.0, 1.0
    share, spread = hits / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    width = Z * sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return max(0.0, middle - width), min(1.0, middle + width)


def bootstrap(groups: Sequence[Sequence[float]], seed: int = 1) -> tuple[float, float]:
    """Of a mean, drawn group by group: what two judges say of one conversation is no two observations."""
    filled = [group for group in groups if group]
    if not filled:
        return 0.0, 0.0
    random = Random(seed)
    means = sorted(
        fmean(value for group in random.choices(filled, k=len(filled)) for value in group) for _ in range(SAMPLES)
    )
    return means[round(SAMPLES * 0.025)], means[round(SAMPLES * 0.975) - 1]
