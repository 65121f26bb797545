"""W430: a question about suicide or self-harm whose yes nothing answers: neither ``risk``, nor ``on_answer``, nor a
condition that reads it. The rules that always listen hear what somebody says, and "yes, sometimes" says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.asked_danger import asks_about_danger
from heartrule.language.linting.view import Body, View
from heartrule.language.names import Write
from heartrule.language.nodes import Action
from heartrule.language.nodes.forms import Form
from heartrule.language.projects.project import SAFETY

_RISK = Bilingual("给变量写 risk: true（类型 boolean）", "Write `risk: true` on the variable (of type boolean)")
_ON_ANSWER = Bilingual("在表单的 on_answer 里叫危机技术", "Let `on_answer` of the form call the crisis technique")


def check(view: View) -> Iterator[Finding]:
    if view.project.id == SAFETY:
        return
    read = view.read()
    for body, action in view.actions():
        if action.traits.asks:
            yield from _unmarked(view, body, action, read)
    for form in view.project.forms:
        if form.audience == "client":
            yield from _unheeded(view, form)


def _unmarked(view: View, body: Body, action: Action, read: frozenset[str]) -> Iterator[Finding]:
    asked = str(action.peek(action.traits.literal) or "")
    writes = [write for write in view.names.writes(action) if write.rules is not None]
    about = [write for write in writes if asks_about_danger(_wanted(view, body, write))]
    if not about and len(writes) == 1 and asks_about_danger(asked):
        about = writes
    for write in about:
        if write.head not in read and not _at_risk(view, body, write):
            place = view.project.at(action, *write.keys, value=True)
            yield finding("W430", place, what=clip(write.head), how=_RISK)


def _wanted(view: View, body: Body, write: Write) -> str:
    declared = view.declaration(body, write.head)
    own = write.rules.define if write.rules is not None else ""
    return own or (declared[1].define if declared is not None else "")


def _at_risk(view: View, body: Body, write: Write) -> bool:
    declared = view.declaration(body, write.head)
    return bool(write.rules and write.rules.risk) or bool(declared and declared[1].risk)


def _unheeded(view: View, form: Form) -> Iterator[Finding]:
    heeded = {order.field for order in form.on_answer}
    for field in form.fields:
        if field.asked and field.id not in heeded and asks_about_danger(field.label):
            yield finding("W430", view.project.at(field, "label"), what=clip(field.id), how=_ON_ANSWER)
