"""What a form leaves in the session: its answers and scores as a variable, what it sets, and what it orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.engine.awareness import awareness, crisis, directives
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import DirectiveApplied, FormSubmitted
from heartrule.engine.session.io import World
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.forms.results import label, lookup, on_submit
from heartrule.language.forms.scoring import points, scores
from heartrule.language.nodes import Awareness, AwarenessTrigger, Directive
from heartrule.language.nodes.forms import Form, OnAnswer, SetOnSubmit
from heartrule.language.references import split
from heartrule.locales import is_chinese

BAND = ".band"


def name_of(reference: str) -> str:
    """The variable that holds what was handed in last: what the action calls the form, without its project, so that it
    is the same in every language of the form."""
    return split(reference, "")[1]


def write(work: Work, name: str, form: Form, values: Mapping[str, Any], *, source: str | None = None) -> None:
    """``phq9.q1`` is an answer, ``phq9.total`` a score, ``phq9.total.band`` the label of its band. For the whole
    session, unless the script declares the name otherwise."""
    read = lookup(form, values)
    held = dict(values)
    for score in form.score_by_id:
        held |= {score: read(score), f"{score}{BAND}": read(f"{score}{BAND}")}
    whole = {key: value for key, value in held.items() if value is not None}
    scopes.write(work, name, whole, strategy="form", source=source)


def submitted(
    work: Work, key: str, ref: str, form: Form, values: Mapping[str, Any], *, action: str = "", by: str = ""
) -> None:
    """Put on record that the form ``ref`` was handed in, with its scores. ``action`` showed it; ``by`` is a counsellor
    who filled it."""
    found = scores(form, values)
    work.emit(
        FormSubmitted(
            action=action,
            form=ref,
            key=key,
            name=form.form,
            values=dict(values),
            scores={name: each.value for name, each in found.items()},
            bands={name: each.band for name, each in found.items() if each.band is not None},
            labels={name: each.label or name for name, each in form.score_by_id.items()},
            at=work.world.now,
            audience=form.audience,
            by=by,
            points=None if by else points(ref, form, values),
        )
    )


def follow(work: Work, ref: str, form: Form, values: Mapping[str, Any], *, urgent: bool, stays: str = "") -> None:
    """What ``on_submit`` sets and orders. Nothing ends the session while something is ``urgent``, or for the reason
    ``stays``."""
    stays, read = "safety comes first" if urgent else stays, lookup(form, values)
    for each in on_submit(form, values):
        if isinstance(each, SetOnSubmit):
            scopes.write(work, each.set, _meant(work, each.value, read), strategy="form")
        elif stays and each.directive == "END_SESSION":
            _recorded(work, each, ref, stays)
        elif not work.state.ended:
            order(work, each, ref, form)


def note(work: Work, ref: str, form: Form, values: Mapping[str, Any], *, source: str) -> None:
    """What ``on_submit`` sets. What it orders is put on record and left to whoever filled the form."""
    read = lookup(form, values)
    for each in on_submit(form, values):
        if isinstance(each, SetOnSubmit):
            scopes.write(work, each.set, _meant(work, each.value, read), strategy="form", source=source)
        else:
            _recorded(work, each, ref, "left to the counsellor")


def _meant(work: Work, value: Any, read: Any) -> Any:
    """A literal with its placeholders filled: the form's own names first, then the script's."""

    def named(name: str) -> Any:
        own = read(name)
        return scopes.lookup(work, name) if own is None else own

    if isinstance(value, str):
        only = placeholders.sole_name(value)
        if only is not None:
            return named(only)
        return placeholders.fill(
            value,
            named,
            lambda name: fill(work, f"{{%{name}%}}"),
            missing=lambda _: work.spoken("missing_value", 0),
            locale=work.world.script.locale,
        )
    if isinstance(value, list):
        return [_meant(work, item, read) for item in value]
    if isinstance(value, Mapping):
        return {key: _meant(work, item, read) for key, item in value.items()}
    return value


def is_crisis(world: World, directive: Directive, ref: str) -> bool:
    """Whether it calls the crisis technique."""
    return directive.directive == "CALL_TECHNIQUE" and awareness.target(world, directive, ref) == crisis.technique(
        world
    )


def order(work: Work, directive: Directive, ref: str, form: Form) -> None:
    """Carry a directive of the form ``ref`` out."""
    if is_crisis(work.world, directive, ref):
        field = directive.field if isinstance(directive, OnAnswer) else ""
        crisis.call(work, crisis.told_in_form(ref, field), heard=str(directive.params.get("heard", "answer")))
        _recorded(work, directive, ref)
        return
    node = Awareness(
        awareness=form.form, id=form.id, priority="P1", condition=AwarenessTrigger(judge=""), then=[directive]
    )
    directives.order(work, directive, Verdict(ref, node, "yes", "rules"))


def _recorded(work: Work, directive: Directive, ref: str, refused: str = "") -> None:
    work.emit(
        DirectiveApplied(
            directive=directive.directive,
            cause=f"form {ref}",
            detail=directive.model_dump(exclude_defaults=True, exclude={"directive", "if_"}),
            refused=refused,
        )
    )


def read_out(work: Work, form: Form, values: Mapping[str, Any]) -> str:
    """A form with its answers and scores as a text, for where it is only shown."""
    read, zh = lookup(form, values), is_chinese(work.world.script.locale)
    colon = "：" if zh else ": "
    rows = [form.form]
    for each in form.fields:
        if each.id in values:
            words = placeholders.format_value(label(each, values[each.id]), work.world.script.locale)
            rows.append(f"{fill(work, each.label, to_person=True)}{colon}{words}")
    for name, score in form.score_by_id.items():
        value, band = read(name), read(f"{name}{BAND}")
        if value is not None:
            words = placeholders.format_value(value, work.world.script.locale)
            left, right = ("（", "）") if zh else (" (", ")")
            called = fill(work, score.label, to_person=True) or name
            rows.append(f"{called}{colon}{words}" + (f"{left}{band}{right}" if band else ""))
    return "\n".join(rows)
