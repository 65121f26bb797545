"""A vector of what a text is written with: three neighbouring letters, two Chinese characters. It tells like spellings
from unlike ones and knows no meanings; whoever shows it calls it lexical."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 192
"""Numbers of a vector, each from -127 to 127."""
NAME = "lexical-1"
"""What made it, and by which rule."""
_HAN = re.compile("[\u3400-\u9fff]+")
_WORDS = re.compile(r"[^\W_]+")


def vector(text: str) -> NDArray[np.int8]:
    """Of length 127, or all zeros where nothing can be told."""
    import numpy as np

    found = np.zeros(SIZE, dtype=np.float32)
    for piece, times in Counter(_pieces(text.casefold())).items():
        code = crc32(piece.encode("utf-8", "surrogatepass"))
        found[code % SIZE] += (1.0 if code & 0x80000000 else -1.0) * math.sqrt(times)
    length = float(np.linalg.norm(found))
    return np.rint(found * (127 / length)).astype(np.int8) if length else found.astype(np.int8)


def _pieces(text: str) -> list[str]:
    found = [run[at : at + 2] for run in _HAN.findall(text) for at in range(max(1, len(run) - 1))]
    for word in _WORDS.findall(_HAN.sub(" ", text)):
        closed = f"^{word}$"
        found += [closed[at : at + 3] for at in range(len(closed) - 2)]
    return found
