"""What is shown or heard beside a message. It is data: who shows it decides how, and has words for all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Kind = Literal["picture", "audio", "card", "chart", "pacer"]


@dataclass(frozen=True, slots=True)
class Media:
    """``src``: ``project/path`` for a file of a project's folder, else an https address. ``alt`` says what a picture
    shows, ``transcript`` all that is said in a recording.

    ``data``: a card's ``title``, ``text`` and ``items``; a chart's ``title``, ``kind`` (course | compare), ``points``
    (``label``, ``value``) and ``range``; a pacer's ``in``, ``hold``, ``out`` and ``rest``, and ``seconds`` in all,
    where there is an end to it. ``purpose``: what it is shown for, told to the model and to nobody else.
    """

    kind: Kind
    src: str = field(default="", repr=False)
    alt: str = field(default="", repr=False)
    caption: str = field(default="", repr=False)
    transcript: str = field(default="", repr=False)
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    purpose: str = field(default="", repr=False)

    def dump(self) -> dict[str, Any]:
        """As it is kept; ``load`` gives it back."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Media:
        return cls(**data)
