"""Forms: ``- text: 名称`` = a field of that type, called so; ``combobox`` with ``choices``; ``placeholder``."""

from __future__ import annotations

from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, both, senseless
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit

FIELDS = {"text": "text", "combobox": "single", "date": "date", "number": "number", "checkbox": "boolean"}
"""The first key of a field that has no ``type`` → its type."""
TYPES = {
    **dict.fromkeys(("single_choice", "singlechoice", "choice", "radio", "select", "dropdown", "combobox"), "single"),
    **dict.fromkeys(("单选", "单选题"), "single"),
    **dict.fromkeys(("multiple_choice", "multi_choice", "multi_select", "checkboxes", "多选", "多选题"), "multiple"),
    **dict.fromkeys(("string", "input", "文本"), "text"),
    **dict.fromkeys(("textarea", "multiline", "long_text"), "longtext"),
    **dict.fromkeys(("int",), "integer"),
    **dict.fromkeys(("float",), "number"),
    **dict.fromkeys(("bool", "checkbox", "switch", "yes_no"), "boolean"),
    **dict.fromkeys(("scale", "rating", "滑动条"), "slider"),
}
"""What the types of fields are called elsewhere."""
_AUDIENCES = {
    **dict.fromkeys(("user", "用户", "咨询用户", "来访者", "visitor", "patient"), "client"),
    **dict.fromkeys(("counsellor", "therapist", "咨询师"), "counselor"),
}
NO_WAY = ("submit", "submit_action", "on_complete", "table", "python", "format", "rows")


NAMES = {
    "placeholder": "help",
    **dict.fromkeys(("field_id", "field_name", "name"), "id"),
    "field_type": "type",
    "question": "label",
}


def spelled(here: SpelledMapping) -> Made:
    """A form."""
    called = here.get("title", "name")
    if called and (key := here.get("form")) and not here.get("id", "form_id", "form_name"):
        # What it is referred to by, and what people see.
        yield [*here.page.rename(key, "id"), *here.page.rename(called, "form")]
        return
    named = {"form_id": "id", "form_name": "form"}
    if called and not here.get("form", "form_name"):
        named[called.name] = "form"
    yield from here.rename(named)
    target = here.get("target", "target_user", "audience")
    whom = _AUDIENCES.get((target.value.text() or "").lower()) if target else None
    if target and whom and (target.name == "audience" or not here.get("audience")):
        yield [*here.page.rename(target, "audience"), Edit(target.value.start, target.value.end, (whom,))]
    for entry in here.node.entries:
        if entry.name in NO_WAY:
            yield senseless(
                entry,
                "表单只有 fields；算出来的值写成 scores，交上来以后做什么写成 on_submit，"
                "一行一行的记录写成 type: list 的变量。",
                "A form has fields only: write what is computed as scores, what happens when it is handed in as"
                " on_submit, and rows as a variable with type: list.",
            )


def field(here: SpelledMapping) -> Made:
    """A field of a form."""
    first = here.node.entries[0]
    if first.name in FIELDS and not here.get("type", "id", "label") and (name := first.value.text()):
        long = here.get("multiline")
        kind = "longtext" if first.name == "text" and long and long.value.value is True else FIELDS[first.name]
        break_ = ", " if here.node.flow else "\n" + " " * here.page.column(first.key.start)
        edits = [
            Edit(first.key.start, first.key.end, (f"id: {scalar(name)}", break_, f"type: {kind}", break_, "label"))
        ]
        yield [*edits, *(here.page.remove(here.node, long) if long else [])]
        return
    names = dict(NAMES)
    if here.get("id", "field_id", "field_name"):
        names.pop("name")
    if here.get("label"):
        names.pop("question")
    yield from here.rename(names)
    typed = here.get("type", "field_type")
    form = TYPES.get((here.text("type", "field_type") or "").lower())
    if typed is not None and form:
        several = form == "boolean" and here.get("options", "choices")
        yield [Edit(typed.value.start, typed.value.end, ("multiple" if several else form,))]
    choices = here.get("choices")
    if choices is not None and here.get("options"):
        yield both(choices, "options")
    elif choices is not None:
        yield here.page.rename(choices, "options")
    value = here.get("value")
    if value is not None and value.value.single and value.value.value is None and here.get("type"):
        yield here.page.remove(here.node, value)


def option(here: SpelledMapping) -> Made:
    """A choice of a field that has a value only: it is called so too."""
    value = here.get("value")
    if value is not None and value.value.text() is not None and here.get("label") is None:
        yield here.page.after(here.node, value, "label: ", *here.page.copied(value.value, 0, twice=True))
