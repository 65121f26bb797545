"""Forms: ``- text: 名称`` = a field of that type, called so; ``combobox`` with ``choices``; ``placeholder``."""

from __future__ import annotations

from heartrule.language.page import scalar
from heartrule.language.rewriting import Edit
from heartrule.language.spelled.found import Made, Spelled, both, senseless

FIELDS = {"text": "text", "combobox": "single", "date": "date", "number": "number", "checkbox": "boolean"}
"""The first key of a field that has no ``type`` → its type."""
NO_WAY = ("table", "python", "format", "rows")


def spelled(here: Spelled) -> Made:
    """A form."""
    yield from here.rename({"form_id": "id", "form_name": "form"})
    for entry in here.node.entries:
        if entry.name in NO_WAY:
            yield senseless(
                entry,
                "表单只有 fields；算出来的值写成 scores 或 on_submit，一行一行的记录写成 type: list 的变量。",
                "A form has fields only: write what is computed as scores or on_submit, and rows as a variable with"
                " type: list.",
            )


def field(here: Spelled) -> Made:
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
    yield from here.rename({"placeholder": "help"})
    choices = here.get("choices")
    if choices is not None and here.get("options"):
        yield both(choices, "options")
    elif choices is not None:
        yield here.page.rename(choices, "options")
    value = here.get("value")
    if value is not None and value.value.kind == "scalar" and value.value.value is None and here.get("type"):
        yield here.page.remove(here.node, value)


def option(here: Spelled) -> Made:
    """A choice of a field that has a value only: it is called so too."""
    value = here.get("value")
    if value is not None and value.value.text() is not None and here.get("label") is None:
        end = max(value.value.end, value.key.end)
        yield here.page.after(here.node, value, "label: ", (value.value.start, end))
