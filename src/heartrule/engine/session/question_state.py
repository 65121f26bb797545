"""What is kept of an action that asks, round after round."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from heartrule.engine.session.action_state import ActionState


class QuestionState(ActionState):
    """``first``: the question that it began with. ``texts``: the last answers. ``found``: by output, the ``value`` and
    its ``evidence``; ``fresh``: the outputs that the last answer gave. ``missing``: why one has no value;
    ``differing``: where two answers differed, both as text. ``tries``: how often one was asked for in vain. ``why``:
    the question of which it was said last why it is asked."""

    section: ClassVar[str] = "asking"

    first: str = Field(default="", repr=False)
    texts: list[str] = Field(default=[], repr=False)
    found: dict[str, Any] = Field(default={}, repr=False)
    fresh: list[str] = []
    missing: dict[str, str] = {}
    differing: dict[str, str] = Field(default={}, repr=False)
    tries: dict[str, int] = {}
    why: str | None = Field(default=None, repr=False)


class ConfirmationState(ActionState):
    """What is known already, and put to be confirmed or only mentioned. ``names``: the outputs whose values are to be
    confirmed; ``held``: those that were mentioned; ``later``: those that are put behind it, one by one, and ``wrong``:
    those that turned out not to be so; ``unclear``: replies that were neither a yes nor a no. While something else is
    told in their place, ``replaces``: the outputs that it is about, ``gives_way``: those of them that hold one thing,
    ``against``: those denied in so many words, ``confirmed`` and ``question``: the names and the question that stand
    again where it is not taken; ``denied``: what was denied then."""

    section: ClassVar[str] = "confirming"

    names: list[str] = []
    held: list[str] = []
    later: list[str] = []
    wrong: list[str] = []
    unclear: int = 0
    replaces: list[str] = []
    gives_way: list[str] = []
    against: list[str] = []
    confirmed: list[str] = []
    question: str = Field(default="", repr=False)
    denied: list[str] = []
