"""What a turn that does not stand yet has let its person read, message by message."""

from __future__ import annotations

from collections.abc import Iterator


class ShownMessages:
    """Of one ``turn``. A message only ever gets longer; lengths and offsets are in Unicode code points."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self._texts: dict[int, str] = {}

    def add(self, number: int, offset: int, text: str) -> bool:
        """Whether there is more of message ``number`` than was known. What is told again counts once; a part that
        does not follow on what is known is left out, for the finished message brings it."""
        known = self._texts.get(number, "")
        if not offset <= len(known) < offset + len(text):
            return False
        self._texts[number] = known + text[len(known) - offset :]
        return True

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Each message's number and all of it that may be read, in the order in which they began."""
        return iter(self._texts.items())
