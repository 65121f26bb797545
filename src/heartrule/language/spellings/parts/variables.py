"""Variables: ``auto: true`` and ``update: auto`` = ``listen``, ``extraction_prompt`` = ``define``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.language.spellings.parts import limits, outputs
from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping, both, senseless
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit
from heartrule.language.texts.tree import Entry

_KEYS = {
    **dict.fromkeys(("name", "variable", "variable_name"), "var"),
    **dict.fromkeys(("description", "extraction_prompt"), "define"),
    **dict.fromkeys(("default", "defaultValue", "default_value", "initial_value"), "value"),
    "update_mode": "update",
    "enum": "options",
}
_OUTPUT = {
    "update_mode": "update",
    "enum": "options",
    **dict.fromkeys(("description", "extraction_prompt"), "define"),
    **dict.fromkeys(("name", "variable", "variable_name", "var"), "get"),
}
TYPES = {
    **dict.fromkeys(("string", "str"), "text"),
    **dict.fromkeys(("int",), "integer"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("bool",), "boolean"),
    **dict.fromkeys(("array",), "list"),
}
_REQUIRE = {
    **dict.fromkeys(("关键", "必需", "必须", "critical", "required", "true", "yes"), "reask"),
    **dict.fromkeys(("重要", "可选", "important", "optional", "false", "no"), "skip"),
}
_ABOUT = ("define", "description", "extraction_prompt")
_LISTEN = "listen: {mode: passive}"


def spelled(here: SpelledMapping) -> Made:
    """A declaration, or an item of ``output``."""
    if found := _found_out(here):
        yield here.page.rename(found, "get")
    yield from here.rename(_OUTPUT if here.kind == "output" else _KEYS)
    yield from limits.spelled(here)
    yield from _settings(here)
    kind = here.get("type")
    if kind is not None and (form := TYPES.get(here.text("type") or "")):
        yield [Edit(kind.value.start, kind.value.end, (form,))]
    needed = here.get("require", *(["required"] if here.kind == "output" else []))
    if needed is not None and (needed.name != "required" or not isinstance(needed.value.value, bool)):
        yield _needed(here, needed)  # ``required: false`` of an output is ours as it stands
    for entry in here.node.entries:
        if not entry.value.single:
            continue
        if entry.name == "auto" and entry.value.value is False and len(here.node.entries) > 1:
            yield here.page.remove(here.node, entry)
        elif (entry.name, entry.value.value) in (("auto", True), ("update", "auto")):
            if here.get("listen"):
                yield both(entry, "listen")
            else:
                yield [Edit(entry.key.start, entry.value.end, (_LISTEN,))]


def otherwise(variable: Mapping[Any, Any]) -> bool:
    """Whether a variable, by its data, has something in another shape."""
    depends, failing = variable.get("depends_on"), variable.get("on_failure")
    shaped = isinstance(depends, str) or isinstance(failing, str) or isinstance(variable.get("range"), dict)
    listed = isinstance(depends, list) and any(
        isinstance(each, str) or (isinstance(each, Mapping) and not _DEPENDS.keys().isdisjoint(each))
        for each in depends
    )
    shaped = shaped or not isinstance(variable.get("required", True), bool)
    found = "set" in variable and "get" not in variable and any(key in variable for key in _ABOUT)
    return shaped or listed or found or isinstance(variable.get("validate"), dict) or str(variable.get("type")) in TYPES


def _found_out(here: SpelledMapping) -> Entry | None:
    """``set`` of an output with words about what it is: nothing is set, it is found out."""
    within = here.within("actions")
    typed = within.given("type", "call", "use_skill") if within else None
    called = typed and (typed.name != "type" or typed.value.text() == "use_skill")
    return here.get("set") if here.get(*_ABOUT) and not here.get("get", "value") and not called else None


def _settings(here: SpelledMapping) -> Made:
    """Settings that are mappings or lists here, and one word or several keys elsewhere."""
    page = here.page
    failing = here.get(*_FAILING)
    form = _DO.get((failing.value.text() or "").casefold()) if failing else None
    if failing and form:
        if failing.name != "on_failure" and here.get("on_failure"):
            yield both(failing, "on_failure")
        else:
            yield [Edit(failing.key.start, failing.value.end, (f"on_failure: {{do: {form}}}",))]
    elif failing and failing.name != "on_failure":
        yield from here.rename({failing.name: "on_failure"})
    where, how = here.get("listen_scope"), here.get("listen_mode")
    pairs = [("scope", where), ("mode", how)]
    told = [f"{key}: {text}" for key, entry in pairs if entry and (text := entry.value.text())]
    first, second = (where or how), (how if where else None)
    if first and told:
        if here.get("listen"):
            yield both(first, "listen")
        else:
            edits = [Edit(first.key.start, first.value.end, (f"listen: {{{', '.join(told)}}}",))]
            yield [*edits, *(page.remove(here.node, second) if second else [])]
    depends = here.get("depends_on")
    if depends and depends.value.single and (name := depends.value.text()):
        yield [Edit(depends.value.start, depends.value.end, (f"[{{var: {scalar(name)}}}]",))]
    elif depends and depends.value.kind == "list":
        edits = [*outputs.names(page, depends.value, "var"), *outputs.keys(page, depends.value, _DEPENDS)]
        yield from [edits] if edits else []


NAMES = (
    *("update_mode", "enum", "on_fail", "failure_strategy", "on_extraction_failure", "listen_scope", "listen_mode"),
    *("validation", "validation_rule", "name", "variable", "variable_name", "description"),
)
"""Keys of other spellings, beside those that have a form of one word."""
_DEPENDS = {"variable": "var", "name": "var"}
_FAILING = ("on_fail", "failure_strategy", "on_extraction_failure", "on_failure")
_DO = {
    **dict.fromkeys(("reask", "ask", "ask_again", "retry", "重问", "补问", "智能补问", "追问"), "reask"),
    **dict.fromkeys(("skip", "跳过"), "skip"),
    **dict.fromkeys(("default", "use_default", "默认值", "使用默认值"), "default"),
}


def _needed(here: SpelledMapping, needed: Entry) -> list[Edit] | Refusal:
    """``require: 关键``: it is asked for again; anything less may stay open."""
    form = _REQUIRE.get((needed.value.text() or "").lower())
    if form is None:
        return senseless(needed, "写 关键、重要 或 可选。", "It may be critical, important or optional.")
    if here.get("on_failure"):
        return both(needed, "on_failure")
    return [Edit(needed.key.start, needed.value.end, (f"on_failure: {{do: {form}}}",))]
