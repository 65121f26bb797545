"""What awareness scripts have come to in one turn: data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine.session.foreseen import Foreseen
from heartrule.language.nodes import Awareness, Directive

About = Literal["self", "other"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an awareness script says of the words, and who says so."""

    ref: str
    node: Awareness
    verdict: Literal["yes", "no", "unknown", "watch"]
    source: Literal["rules", "classifier", "model", "default"]
    reason: str = ""
    evidence: str | None = None
    confidence: float | None = None
    repeat: bool = False
    """Its technique has been gone through, and nothing new or graver has been said since."""
    about: About = "self"
    doubted: bool = False
    answered: bool = True
    """Whether the model that was to judge has answered, where there is one."""
    doubt: bool = False
    """Nothing but a classifier, or a model that is not sure, raised it; and a model has judged the same words."""

    wish: bool = False
    """A model leads the session, and rules heard what is said straight and not under way, or the judge is certain."""

    @property
    def way(self) -> Literal["then", "on_wish", "on_watch", "on_other", "on_unknown", "on_repeat", ""]:
        """The list of its directives that is meant; none for a no."""
        if self.repeat:
            return "on_repeat"
        match self.verdict:
            case "yes":
                return "on_wish" if self.wish and self.node.on_wish else "then"
            case "watch":
                return "on_other" if self.about == "other" and self.node.on_other else "on_watch"
            case "unknown":
                return "on_unknown"
            case _:
                return ""

    def directives(self) -> list[Directive]:
        return list(getattr(self.node, self.way)) if self.way else []


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """A script's question as it is put. ``hook_points``: those it is put for; none: it is owed from the turn before."""

    ref: str
    judge: str
    text: str
    hook_points: tuple[str, ...] = ()
    again: bool = False
    """It has been handled before, or is being handled."""


@dataclass(slots=True)
class Lookout:
    """What one turn's watching has come to. ``text``: the person's words. ``put``: the questions, by script.
    ``strict``: what was answered at the hook point itself. ``why``: why a script was not asked. ``seen``: what was come
    to at a hook point and ordered nothing; ``told``: scripts that have a record of their own. ``cried``: the words are
    nothing but what a script that rests would have taken the floor for."""

    text: str = ""
    heard: bool = False
    put: dict[str, list[PutQuestion]] = field(default_factory=dict)
    strict: dict[tuple[str, str], Foreseen] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    seen: dict[str, tuple[Verdict, str, str]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    cried: bool = False
