"""What the answers of a form call for at once: by ``on_answer``, and by the rules of P0 in the person's own words.

It holds for a form that waits as for one that nobody waits for any more. An answer or words that stand there still
after they have been acted upon call nothing again with each letter that is added; what was taken out and written anew,
and words that are handed in, are heard as a message would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from heartrule.engine.awareness import awareness, crisis, directives
from heartrule.engine.forms import form_results
from heartrule.engine.forms.form_progress import FormProgress
from heartrule.engine.forms.option_names import is_option
from heartrule.engine.repair import late_words
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.io import World
from heartrule.engine.variables.evidence import locate
from heartrule.engine.work import Work
from heartrule.language.forms.answers import CheckedAnswers, check
from heartrule.language.forms.results import on_answer
from heartrule.language.nodes import Directive, Json
from heartrule.language.nodes.forms import Form, FormField

WORDS = ("text", "longtext")
"""Types of fields whose answers are the person's own words."""
FOR_DANGER = ("CALL_TECHNIQUE", "ESCALATE")
"""Directives that answers call for though nobody waits for them any more."""


@dataclass(frozen=True, slots=True)
class Urgent:
    """What comes before everything else. ``words``: the verdicts of P0 on the texts; ``orders``: directives of
    ``on_answer`` that newly hold; ``form``: whose they are, by its full id ``ref``."""

    ref: str
    form: Form | None
    words: list[Verdict] = field(default_factory=list)
    orders: list[Directive] = field(default_factory=list)

    def takes_the_floor(self, work: Work) -> bool:
        return any(directives.takes_the_floor(work, each) for each in self.words) or any(
            directives.is_for_now(each) for each in self.orders
        )


def fields(world: World, form: Form, filling: FormProgress) -> frozenset[str]:
    """Those whose answers call the crisis technique: none of them is passed over for the way it is written."""
    return frozenset(rule.field for rule in form.on_answer if form_results.is_crisis(world, rule, filling.form))


def heard(work: Work, filling: FormProgress, form: Form | None, kind: str) -> Urgent:
    """What the answers call for that they have not called for before. ``kind``: how they came. A watch word may be half
    of another one while it is being written: it is looked at when the form is handed in or put away. ``form``: None
    where the script does not have it; then only the words in it can be read."""
    if kind == "form_submit":
        filling.noticed = []
    words = _in_words(work, filling, form, explicit=kind == "form_draft")
    if form is None:
        return Urgent(filling.form, form, words)
    checked = check(form, filling.answers, whole=False, now=work.world.now)
    return Urgent(filling.form, form, words, _newly_called(work, filling, form, checked))


def of_danger(urgent: Urgent) -> Urgent:
    """Of a form that nobody waits for any more: what else its answers order is not done."""
    return replace(urgent, orders=[each for each in urgent.orders if each.directive in FOR_DANGER])


def danger_verdicts(world: World, urgent: Urgent) -> list[Verdict]:
    """The danger in it, for where nobody acts upon it but a human."""
    known = world.script.awareness.get(crisis.WATCHER)
    calls = any(form_results.is_crisis(world, each, urgent.ref) for each in urgent.orders)
    answered = [Verdict(crisis.WATCHER, known, "yes", "rules", "form")] if calls and known is not None else []
    return [*urgent.words, *answered]


def carry_out(work: Work, urgent: Urgent) -> None:
    """Words of explicit intent before what an answer calls, and both before a gentle question."""
    acting = [verdict for verdict, now in awareness.acting(work, urgent.words) if now]
    called = any(form_results.is_crisis(work.world, each, urgent.ref) for each in urgent.orders)
    grave = called or crisis.runs(work) or any(each.verdict == "yes" for each in acting)
    if urgent.takes_the_floor(work):
        late_words.put_aside(work)
    for verdict in acting:
        if grave and verdict.verdict != "yes":
            directives.give_way(work, verdict)
        else:
            directives.carry_out(work, verdict)
    for order in urgent.orders:
        if not work.state.ended and urgent.form is not None:
            form_results.order(work, order, urgent.ref, urgent.form)


def _in_words(work: Work, filling: FormProgress, form: Form | None, *, explicit: bool) -> list[Verdict]:
    """What P0 says of what the person has written in the form, and has not said of it as long as that stands there."""
    text = "\n".join(_words(filling, form))
    seen = [each for each in awareness.in_text(work, text) if text.strip()]
    standing = {_quote(each) for each in seen}
    filling.noticed = [quote for quote in filling.noticed if quote in standing or _stands(quote, text)]
    rest = text
    for quote in filling.noticed:
        rest = rest.replace(_evidence(quote) or "\n", "\n")
    seen += awareness.in_text(work, rest) if rest != text else []
    found: dict[str, Verdict] = {}
    for each in seen:
        if (each.verdict == "yes" or not explicit) and _quote(each) not in filling.noticed:
            found.setdefault(each.ref, each)
    filling.noticed = [*filling.noticed, *map(_quote, found.values())]
    return list(found.values())


def _words(filling: FormProgress, form: Form | None) -> Iterator[str]:
    """The person's own words: what is no answer to choose among the options is one in words."""
    for name, answer in filling.answers.items():
        for each in answer if isinstance(answer, list) else [answer]:
            if isinstance(each, str) and (form is None or _is_own(form.by_id[name], each)):
                yield each


def _is_own(asked: FormField, answer: Json) -> bool:
    return asked.type in WORDS or not asked.options or not is_option(asked, answer)


def _quote(verdict: Verdict) -> str:
    return f"{verdict.ref} {verdict.verdict} {verdict.evidence}"


def _evidence(quote: str) -> str:
    return quote.split(" ", 2)[-1]


def _stands(quote: str, text: str) -> bool:
    return locate(_evidence(quote), text) is not None


def _newly_called(work: Work, filling: FormProgress, form: Form, checked: CheckedAnswers) -> list[Directive]:
    """The directives that hold now for an answer that they have not acted upon. What calls the crisis technique counts
    though its field is not shown: what shows it may come later, or have come when the form still waited."""
    dangerous = fields(work.world, form, filling)
    covered = {name: answer for name, answer in checked.covered.items() if name in dangerous}
    shown = on_answer(form, checked.values)
    holding = [
        rule
        for rule in on_answer(form, checked.values, covered)
        if any(rule is each for each in shown)
        or (rule.field in covered and form_results.is_crisis(work.world, rule, filling.form))
    ]
    answers = {**checked.values, **covered}
    found: list[Directive] = []
    acted: dict[str, Any] = {}
    for number, rule in enumerate(form.on_answer):
        if any(each is rule for each in holding):
            answer = answers[rule.field]
            if str(number) not in filling.acted or filling.acted[str(number)] != answer:
                found.append(rule)
            acted[str(number)] = answer
    filling.acted = acted
    return found
