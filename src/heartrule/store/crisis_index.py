"""Whether a session is in a crisis, or in a human's hands: as a keyed digest that is another one for every session and
every turn. To who lacks the key all rows look alike; with it, those that are can be found without opening any."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.store.codec import encode_text
from heartrule.store.crypto import Box

Standing = tuple[bool, bool]
"""In a crisis; in a human's hands."""
CRISES: tuple[Standing, ...] = ((True, False), (True, True))
HUMANS: tuple[Standing, ...] = ((False, True), (True, True))
CALM: Standing = (False, False)


def digest(index: Box, session: str, seq: int, standing: Standing) -> bytes:
    return index.digest(encode_text(f"standing {session} {seq} {standing[0]:d}{standing[1]:d}"))


def stands(index: Box, session: str, seq: int, known: bytes, wanted: tuple[Standing, ...]) -> bool:
    """Whether ``known`` is the digest of one of these."""
    return bytes(known) in _of(index, session, seq, wanted)


def _of(index: Box, session: str, seq: int, wanted: tuple[Standing, ...]) -> Iterator[bytes]:
    return (digest(index, session, seq, each) for each in wanted)
