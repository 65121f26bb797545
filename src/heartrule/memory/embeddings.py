"""Vectors of meaning, from whoever makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 384
"""Numbers of a vector that are kept; of a longer one the first, as models of this kind are made for."""


class Embedder(Protocol):
    """``name``: which model of whose; vectors of another are not compared with its own."""

    @property
    def name(self) -> str: ...

    async def vectors(self, texts: Sequence[str]) -> bytes | None:
        """All of them one behind the other, each of the same length; None where there are none to be had now."""

    async def vector(self, text: str) -> NDArray[np.int8] | None: ...


def small(vector: Sequence[float]) -> NDArray[np.int8]:
    """At most ``MOST`` numbers from -127 to 127, of length 127."""
    import numpy as np

    found = np.asarray(vector[:MOST], dtype=np.float32)
    length = float(np.linalg.norm(found))
    return np.rint(found * (127 / length)).astype(np.int8) if length else found.astype(np.int8)
