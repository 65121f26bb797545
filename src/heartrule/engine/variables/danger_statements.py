"""What a person has said in this session that tells of danger, with the words that prove it."""

from __future__ import annotations

from heartrule.engine.work import Work

NAMES = (
    "wish_dead",
    "suicidal_thoughts",
    "thoughts_now",
    "method_thought",
    "suicidal_intent",
    "suicidal_plan",
    "harm_lately",
    "tried_ever",
    "means_at_hand",
)
"""Variables of the safety project (``library/safety/variables.yaml``) of which a yes tells of danger."""
_IN_ONE_QUESTION = frozenset({"wish_dead", "suicidal_thoughts"})
"""What the first gentle question may name together: a no to it is a no to both."""
NEAR = frozenset(NAMES) - {"wish_dead", "suicidal_thoughts", "thoughts_now"}
"""Those that say how near it is, beyond thoughts."""


def is_asked(name: str, asking: str | None) -> bool:
    """Whether a question for ``asking`` is one for ``name``."""
    return name == asking or {name, asking} == _IN_ONE_QUESTION


def quotes(work: Work) -> dict[str, str]:
    """The quote of each that is a yes, by the variable's name. A yes without the person's own words is none, and a no
    is never told: what was denied a while ago says nothing of now."""
    found: dict[str, str] = {}
    for name in NAMES:
        held = work.variables.find(name, work.chain())
        if held is not None and held[1].value is True and (held[1].evidence or "").strip():
            found[name] = " ".join(str(held[1].evidence).split())
    return found
