"""What a model has read in words at a choice: which one is meant, what says so, and what else was said.

Labels and patterns know the words that a script foresaw; people answer in their own. What the rules do not decide is
asked beside the safety judgement, and counts where its quote stands in the words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.engine.extraction import proof
from heartrule.engine.session.state import Choice
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.prompt_context import ahead, shared
from heartrule.engine.variables.evidence import locate, occurs
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, VariableRules
from heartrule.parsing.attribution import is_over, of_another, turned
from heartrule.parsing.doubts import holds
from heartrule.parsing.quote_places import places
from heartrule.parsing.text import normalise

TEMPLATE = "choice"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "choice": {"type": "integer"},
        "evidence": {"type": "string", "minLength": 0},
        "rest": {"type": "string", "minLength": 0},
        "declined": {"type": "boolean"},
        "content": {"type": "string", "minLength": 0},
    },
    "required": ["choice", "evidence", "rest", "declined", "content"],
}
"""The same whatever is offered, so that prompts keep a common beginning. What is decided comes before what is said."""


@dataclass(frozen=True, slots=True)
class Selection:
    """``place``: the choice that is meant, by its index; ``evidence``: the words that say so; ``rest``: what else they
    say, as it stands there. ``unproved``: one was named and nothing that was said proves it. ``declined``: the person
    would rather not choose."""

    place: int | None = None
    evidence: str = field(default="", repr=False)
    rest: str = field(default="", repr=False)
    unproved: int | None = None
    declined: bool = False


def question(
    work: Work, action: Action, choices: Sequence[Choice], *, plainly: Collection[int] = (), press: bool = False
) -> Task:
    """``plainly``: those that only count when they are plainly said, by index. ``press``: the only one is a suggested
    line, which is pressed to go on."""
    mark = work.spoken("choice_plainly", 0)
    lines = (
        f"{number}. {' '.join(choice.label.split())}" + (mark if number - 1 in plainly else "")
        for number, choice in enumerate(choices, 1)
    )
    return Task(
        key=work.task_key(TEMPLATE),
        kind="extract",
        role="understand",
        template=TEMPLATE,
        context=shared(work),
        values={
            "question": work.frame.question,
            "options": "\n".join(lines),
            "press": "1" if press else "",
            "next": ahead(work),
        },
        schema=SCHEMA,
        required=("choice", "content"),
        tier=action.model,
        speaks=True,
    )


def parse_answer(answer: Answer | None, choices: Sequence[Choice], said: str) -> Selection | None:
    """None: nobody could tell."""
    data = answer.data if answer is not None else None
    place = _place(data.get("choice"), choices) if data is not None else None
    if data is None or place is None:
        return None
    declined = data.get("declined") is True
    if place < 0:
        return Selection(declined=declined)
    quote = data.get("evidence")
    evidence = locate(quote, said) if isinstance(quote, str) else None
    if evidence is None or not proof.holds(VariableRules(), choices[place].label, evidence, said, ""):
        return Selection(unproved=place)
    rest = data.get("rest")
    return Selection(place, evidence, rest.strip() if isinstance(rest, str) and occurs(rest, said) else "")


def _place(number: Any, choices: Sequence[Choice]) -> int | None:
    """The index of the choice with that number, -1 for none of them."""
    if isinstance(number, str) and number.strip().isdecimal():
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= len(choices):
        return None
    return number - 1


def is_plain(selection: Selection, said: str) -> bool:
    """Whether the words say it without asking, wavering, mocking or telling of another."""
    text = normalise(said)
    if "?" in text or "…" in text or holds("hedge", said):
        return False
    found = list(places(selection.evidence, said))
    return not any(
        turned(each.before, each.behind) or of_another(each.before) or is_over(each.before) for each in found
    )
