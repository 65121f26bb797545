"""Variables: ``auto: true`` and ``update: auto`` = ``listen``, ``extraction_prompt`` = ``define``."""

from __future__ import annotations

from heartrule.language.rewriting import Edit
from heartrule.language.spelled.found import Made, Refusal, Spelled, both, senseless
from heartrule.language.tree import Entry

_KEYS = {
    **dict.fromkeys(("name", "variable", "variable_name"), "var"),
    **dict.fromkeys(("description", "extraction_prompt"), "define"),
    **dict.fromkeys(("default", "defaultValue", "default_value", "initial_value"), "value"),
}
TYPES = {
    **dict.fromkeys(("string", "str"), "text"),
    **dict.fromkeys(("int",), "integer"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("bool",), "boolean"),
    **dict.fromkeys(("array",), "list"),
}
_REQUIRE = {
    **dict.fromkeys(("关键", "必需", "必须", "critical", "required"), "reask"),
    **dict.fromkeys(("重要", "可选", "important", "optional"), "skip"),
}
_LISTEN = "listen: {mode: passive}"


def spelled(here: Spelled) -> Made:
    """A declaration, or an item of ``output``."""
    yield from here.rename({"extraction_prompt": "define"} if here.kind == "output" else _KEYS)
    kind = here.get("type")
    if kind is not None and (form := TYPES.get(here.text("type") or "")):
        yield [Edit(kind.value.start, kind.value.end, (form,))]
    if (needed := here.get("require")) is not None:
        yield _needed(here, needed)
    for entry in here.node.entries:
        if entry.value.kind != "scalar":
            continue
        if entry.name == "auto" and entry.value.value is False and len(here.node.entries) > 1:
            yield here.page.remove(here.node, entry)
        elif (entry.name, entry.value.value) in (("auto", True), ("update", "auto")):
            if here.get("listen"):
                yield both(entry, "listen")
            else:
                yield [Edit(entry.key.start, entry.value.end, (_LISTEN,))]


def _needed(here: Spelled, needed: Entry) -> list[Edit] | Refusal:
    """``require: 关键``: it is asked for again; anything less may stay open."""
    form = _REQUIRE.get(needed.value.text() or "")
    if form is None:
        return senseless(needed, "写 关键、重要 或 可选。", "It may be critical, important or optional.")
    if here.get("on_failure"):
        return both(needed, "on_failure")
    return [Edit(needed.key.start, needed.value.end, (f"on_failure: {{do: {form}}}",))]
