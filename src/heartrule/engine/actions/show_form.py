"""``show_form``: a form that the person fills, is shown, or that is left to the counsellor.

``fill`` waits until it is handed in or put away, question by question if the person likes, and keeps what has been
answered; ``view`` shows what was answered and goes on; ``counselor`` never keeps the person waiting.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.dialogue import rounds
from heartrule.engine.dialogue.fixed_wording import before_question, just_said
from heartrule.engine.extraction.extraction import literal
from heartrule.engine.forms.form_progress import FormProgress, Mode, remember, texts_of
from heartrule.engine.forms.form_results import name_of, read_out
from heartrule.engine.session.events import Fault, FormShown
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.forms.answers import check
from heartrule.language.nodes import Action, Json, Template
from heartrule.language.nodes.forms import Form
from heartrule.language.nodes.traits import Traits


class Fields(Action):
    """``values``: what is filled in already. ``known_as``: by field, where what it asks may be known from; where
    something stands there, and the field need not be answered, it is not asked. ``required``: a form that is put away
    is asked for once more."""

    traits: ClassVar[Traits] = Traits(offers="form", waits=True, exits=True, is_leaf=False, model="")

    type: Literal["show_form"]
    form: str
    mode: Mode = "fill"
    required: bool = False
    values: dict[str, Json] = {}
    known_as: dict[str, Template] = {}

    def may_wait(self) -> bool:
        return self.mode == "fill"


class ShowForm(ActionType):
    name = "show_form"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        found = work.world.script.form(action.form, work.running.project)
        if found is None:
            work.emit(Fault(what=f"no such form: {action.form}", action=work.frame.id))
            return Step(done=True, outcome="refused")
        ref, form = found
        filling = FormProgress(
            key=work.key("f"),
            form=ref,
            name=name_of(action.form),
            mode=action.mode,
            required=action.required,
            answers=_given(work, action, form),
            texts={where: fill(work, text, to_person=True) for where, text in texts_of(form) if _open(text)},
            known=_known(work, action, form),
        )
        work.emit(_shown(work, filling))
        if action.mode == "view":
            return Step(say=(read_out(work, form, filling.answers),), done=True)
        if action.mode == "counselor":
            return Step(done=True, outcome="left to the counsellor")
        filling.keep(work.frame)
        remember(work.state, filling)
        work.frame.question = just_said(work)
        return Step(wait="form")
        yield ()

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        """Where a model leads, who writes while the form waits is answered, and the form stays."""
        found = work.world.script.form(action.form, work.running.project)
        if not work.model or not work.world.script.session.led or heard.repair in ("skip", "stop") or found is None:
            return None
        return Task(
            key=work.task_key("form"),
            kind="generate",
            role="generate",
            template="ai_say_ack",
            context=shared(work),
            values={"topic_content": _in_words(found[1]), "next": work.spoken("form_again", 0)},
            schema={"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
            required=("content",),
            temperature=0.7,
        )

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        """Words fill in nothing; who says that they would rather not is let go. To stop is more than that."""
        filling = FormProgress.of(work.frame)
        if heard.repair == "skip" and (filling is None or not filling.required or filling.declined):
            if filling is not None and filling.required:
                work.running.unfinished = sorted({*work.running.unfinished, work.frame.id})
            return Step(say=(work.spoken("refused"),), done=True, outcome="refused")
        if filling is not None and heard.repair == "skip":
            filling.declined = True
            filling.keep(work.frame)
        words = before_question(rounds.text_of(answer.data if answer else None))
        asks = work.spoken("form_needed" if heard.repair == "skip" else "form_again")
        return Step(say=(words or asks,), wait="form")
        yield ()

    def again(self, work: Work, action: Fields) -> Step:
        words = work.frame.question or work.spoken("form_again", 0)
        return Step(say=(words,), wait="form")


def _in_words(form: Form) -> str:
    """The form as it stands before them: what it asks, and what each answer means."""
    rows = [form.form, form.description]
    for field in form.fields:
        among = " | ".join(each.label for each in field.options) or " – ".join(field.ends or ())
        rows.append(f"- {field.label} {among}".strip())
    return "\n".join(filter(None, rows))


def _shown(work: Work, filling: FormProgress) -> FormShown:
    made = FormShown(action=work.frame.id, form=filling.form, key=filling.key, mode=filling.mode)
    if filling.mode == "counselor":  # nobody else keeps what it is filled from
        made = made.model_copy(
            update={"name": filling.name, "answers": dict(filling.answers), "texts": dict(filling.texts)}
        )
    return made


def _given(work: Work, action: Fields, form: Form) -> dict[str, Json]:
    """What is in the form when it is shown: what the form begins with, when it is only looked at what was handed in
    last, and over it what the action says."""
    begun = {each.id: each.value for each in form.fields if each.value is not None}
    last = lookup(work, name_of(action.form)) if action.mode == "view" else None
    held = {name: value for name, value in last.items() if name in form.by_id} if isinstance(last, dict) else begun
    own = {name: literal(work, value) for name, value in action.values.items()}
    answers = {**held, **{name: value for name, value in own.items() if value is not None}}
    return check(form, answers, whole=False, now=work.world.now).values


def _known(work: Work, action: Fields, form: Form) -> list[str]:
    """The fields that are not asked, because what they ask has been told."""
    may = {each.id for each in form.fields if not each.required}
    return [name for name, text in action.known_as.items() if name in may and fill(work, text, unknown="")]


def _open(text: str) -> bool:
    return any(True for _ in placeholders.names(text))


SHOW_FORM = ShowForm()
