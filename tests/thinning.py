"""Which combinations of several things (scripts, ways, looks, languages) a test meets.

All of them in the long form. In the short one, which continuous integration runs, each value of each is met once: "each
choice", as Ammann and Offutt call it (Introduction to Software Testing, 2nd edition, section 6.2).
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from typing import Any


def combined(*values: Collection[Any], long: bool) -> list[tuple[Any, ...]]:
    """One value of each, for ``pytest.mark.parametrize`` over as many names."""
    if long:
        return list(product(*values))
    kinds = [list(each) for each in values]
    rows = max(map(len, kinds))
    # a value's neighbour changes from round to round, so that two short kinds do not always meet in the same pairs
    return [tuple(each[(row + row // len(each)) % len(each)] for each in kinds) for row in range(rows)]
