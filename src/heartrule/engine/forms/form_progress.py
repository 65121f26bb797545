"""A form while it is filled: what has been answered so far, and what of it has been acted upon already.

It lies in the frame of the action that shows it, so that it is there after an interruption, a restart and on another
device; what is sent is added to it, answer by answer, and a ``null`` takes an answer back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from heartrule.engine.forms.option_names import named
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.io import FormRequest
from heartrule.engine.session.state import ActionFrame, KnownForm, Part, State, TopicFrame
from heartrule.language.compiling.script import Script
from heartrule.language.forms.answers import CheckedAnswers, Problem, check
from heartrule.language.nodes.forms import Form, FormField
from heartrule.locales import is_chinese

Mode = Literal["fill", "view", "counselor"]
KNOWN = 20
"""Forms of a session that are known by their key after nobody waits for them any more."""
_TEXTS = ("label", "help", "ends")


class AnswerFault(Part):
    """What is wrong with an answer. ``field``: empty where it is about several."""

    field: str = ""
    code: str
    zh: str = Field(repr=False)
    en: str = Field(repr=False)


class FormProgress(Part):
    """``key`` is one of its kind in the session. ``form``: the full id; ``name``: of the variable
    that holds it once it is handed in. ``texts``: those of its texts that have
    placeholders, filled, by where they stand. ``problems``: of the last submission, until something is changed.
    ``acted``: by the number of an ``on_answer``, the answer that it has acted upon; ``noticed``: words in it that P0
    has acted upon, as long as they stand there. ``declined``: it was to be filled, and was declined once. ``known``:
    fields that are not asked, because what they ask was known when it was shown."""

    key: str
    form: str
    name: str
    mode: Mode = "fill"
    required: bool = False
    answers: dict[str, Any] = Field(default_factory=dict, repr=False)
    texts: dict[str, str] = Field(default_factory=dict, repr=False)
    problems: list[AnswerFault] = []
    acted: dict[str, Any] = Field(default_factory=dict, repr=False)
    noticed: list[str] = Field(default_factory=list, repr=False)
    declined: bool = False
    known: list[str] = []

    @classmethod
    def of(cls, frame: ActionFrame | None) -> FormProgress | None:
        """The one that an action shows."""
        return ShownForm.of(frame).filling if frame is not None else None

    def keep(self, frame: ActionFrame) -> None:
        ShownForm.of(frame).filling = self

    def add(self, form: Form, given: Mapping[str, Any], plainly: Collection[str] = ()) -> None:
        """What is no field of the form is left out; it is reported by whoever checks what was given. Of the fields
        ``plainly`` an answer counts for the option that it plainly names."""
        for name, value in given.items():
            if name not in form.by_id:
                continue
            if value is None:
                self.answers.pop(name, None)
            else:
                self.answers[name] = self._named(form, name, value) if name in plainly else value

    def _named(self, form: Form, name: str, value: Any) -> Any:
        field = form.by_id[name]
        labels = [self.text(f"{name}.options.{index}", each.label) for index, each in enumerate(field.options)]
        return named(field, value, labels)

    def text(self, where: str, written: str) -> str:
        return self.texts.get(where, written)


class ShownForm(ActionState):
    """The form that an action shows."""

    section: ClassVar[str] = "form"

    filling: FormProgress | None = None


def shown_in(state: State) -> Iterator[tuple[TopicFrame, FormProgress]]:
    """The forms that wait for somebody, the one of the running topic first."""
    for frame in state.frames[::-1]:
        filling = FormProgress.of(frame.action)
        if filling is not None:
            yield frame, filling


def remember(state: State, filling: FormProgress) -> None:
    """What the session knows of a form after nobody waits for it any more."""
    state.forms.pop(filling.key, None)
    state.forms[filling.key] = KnownForm(form=filling.form, acted=filling.acted, noticed=filling.noticed)
    for key in list(state.forms)[:-KNOWN]:
        del state.forms[key]


def remembered(state: State, key: str) -> FormProgress:
    """One that nobody waits for any more, empty; without a key, the last one. ``form`` is empty where it is not
    known."""
    key = key or next(reversed(state.forms), "")
    known = state.forms.get(key, KnownForm(form=""))
    return FormProgress(key=key, form=known.form, name="", acted=dict(known.acted), noticed=list(known.noticed))


def texts_of(form: Form) -> Iterator[tuple[str, str]]:
    """Each text of a form that may hold placeholders, by where it stands."""
    yield "description", form.description
    for field in form.fields:
        for name in _TEXTS:
            value = getattr(field, name)
            parts = value if isinstance(value, tuple) else (value,)
            yield from ((f"{field.id}.{name}.{index}", part) for index, part in enumerate(parts) if part)
        yield from ((f"{field.id}.options.{index}", each.label) for index, each in enumerate(field.options))


def request(script: Script, filling: FormProgress) -> FormRequest | None:
    """What whoever renders the form needs; None where the script no longer has it."""
    form = script.forms.get(filling.form)
    if form is None:
        return None
    checked = check(form, filling.answers, whole=False)
    return FormRequest(
        id=filling.form,
        key=filling.key,
        mode=filling.mode,
        required=filling.required,
        name=form.form,
        shown=_form(form, filling),
        values=dict(filling.answers),
        hidden=tuple(sorted(checked.hidden)),
        problems=tuple(
            _localized_problem(each, script.locale) for each in filling.problems or map(_located, checked.problems)
        ),
    )


def waiting(script: Script, frame: ActionFrame) -> FormRequest | None:
    """The same of the form that an action waits for, where it waits for one."""
    filling = FormProgress.of(frame) if frame.wait is not None and frame.wait.kind == "form" else None
    return request(script, filling) if filling is not None else None


def located(checked: CheckedAnswers) -> list[AnswerFault]:
    """What is wrong with answers, as it is kept."""
    return [_located(each) for each in checked.problems]


def _located(problem: Problem) -> AnswerFault:
    return AnswerFault(field=problem.field, code=problem.code, zh=problem.message.zh, en=problem.message.en)


def _localized_problem(problem: AnswerFault, locale: str) -> tuple[str, str, str]:
    return problem.field, problem.code, problem.zh if is_chinese(locale) else problem.en


def _form(form: Form, filling: FormProgress) -> dict[str, Any]:
    """Its definition as it is shown, plain and without what is empty."""
    whole = {
        "description": filling.text("description", form.description),
        "source": form.source,
        "licence": form.licence,
        "fields": [_field(each, filling) for each in form.fields if each.id not in filling.known],
    }
    return {key: value for key, value in whole.items() if value}


def _field(field: FormField, filling: FormProgress) -> dict[str, Any]:
    limits = field.limits or (None, None)
    ends = field.ends or ()
    whole = {
        "id": field.id,
        "type": field.type,
        "label": filling.text(f"{field.id}.label.0", field.label),
        "help": filling.text(f"{field.id}.help.0", field.help),
        "prefix": field.prefix,
        "within": field.within,
        "required": field.required,
        "options": [
            {"value": each.value, "label": filling.text(f"{field.id}.options.{index}", each.label)}
            for index, each in enumerate(field.options)
        ],
        "least": limits[0],
        "most": limits[1],
        "step": field.step,
        "ends": [filling.text(f"{field.id}.ends.{index}", each) for index, each in enumerate(ends)],
        "unit": field.unit,
        "max_length": field.max_length,
    }
    return {key: value for key, value in whole.items() if value not in (None, "", []) and value is not False}
