"""What may be shown or heard beside words: pictures, audio, cards, charts, and the steps of an exercise.

Nothing is shown without words that say the same: a picture has an ``alt``, audio a transcript, a chart its table.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from heartrule.language.nodes.node import Node, Template

Words = Annotated[Template, Field(min_length=1)]
Seconds = Annotated[int, Field(ge=0, le=20)]


class Picture(Node):
    """``src`` is a path in the project's folder, or an https address on one of the project's ``media_hosts``."""

    src: str
    alt: Words
    caption: Template = ""


class Audio(Node):
    """``transcript`` is everything that is said in it."""

    src: str
    transcript: Words
    caption: Template = ""


class Card(Node):
    """Something to keep in view beside the words: a worksheet's example, a list of steps."""

    title: Words
    text: Template = ""
    items: list[Template] = Field(default=[], max_length=20)


class Chart(Node):
    """One variable: its course, as far as it has one. Several: side by side. Only numbers are drawn."""

    variables: list[str] = Field(min_length=1, max_length=8)
    title: Words
    range: tuple[float, float] | None = None


class Pacer(Node):
    """A breath, in seconds: in, held, out, and a rest before the next."""

    in_: Annotated[int, Field(alias="in", ge=1, le=20)]
    hold: Seconds = 0
    out: Annotated[int, Field(ge=1, le=20)]
    rest: Seconds = 0


class ExerciseStep(Node):
    """``wait`` is ``done`` (a button), ``reply`` (words), or a length of time such as ``30s``."""

    say: Words
    wait: str = "done"
    picture: Picture | None = None
    audio: Audio | None = None
    pacer: Pacer | None = None
