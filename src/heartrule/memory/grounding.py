"""What a model says of a topic, held against what was said: whatever is not quoted word for word falls away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrule.locales import is_chinese
from heartrule.memory.session_material import SaidMessage

PARTS = ("summary", "facts", "events", "patterns", "goals", "preferences", "people", "relations", "notes")
MOST, LONGEST, NAME = 12, 240, 60
"""Things of a kind, characters of what one says, and of a name."""
_NAMES = ("subject", "name", "relation", "gender", "feeling", "kind", "from", "to")
_NEEDED: Mapping[str, tuple[str, ...]] = {"people": ("name",), "relations": ("from", "relation", "to")}


def schema(locale: str) -> dict[str, Any]:
    """Of the answer. Every part is a list, empty where there is nothing."""
    zh = is_chinese(locale)
    text = {"type": "string", "description": "一句话" if zh else "one sentence"}
    quote = {"type": "string", "description": "来访者原话" if zh else "the client's own words"}
    name = {"type": "string", "minLength": 0}

    def listed(**fields: Any) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "object", "properties": {**fields, "quote": quote}}}

    plain = listed(text=text)
    return {
        "type": "object",
        "properties": {
            "summary": plain,
            "facts": listed(subject=name, text=text),
            "events": plain,
            "patterns": plain,
            "goals": plain,
            "preferences": plain,
            "people": listed(name=name, relation=name, gender=name, feeling=name),
            "relations": listed(**{"from": name, "relation": name, "to": name}),
            "notes": plain,
        },
    }


def proved(data: Mapping[str, Any], said: Sequence[SaidMessage]) -> dict[str, list[dict[str, Any]]]:
    """Of an answer what holds: each with the number of the message that its quote stands in."""
    own = [each for each in said if not each.reply]
    found: dict[str, list[dict[str, Any]]] = {}
    for part in PARTS:
        listed = data.get(part)
        kept = [left for each in (listed if isinstance(listed, list) else ()) if (left := _proved(part, each, own))]
        if kept:
            found[part] = kept[:MOST]
    return found


def _proved(part: str, each: Any, own: Sequence[SaidMessage]) -> dict[str, Any] | None:
    if not isinstance(each, Mapping):
        return None
    quote = _line(each.get("quote"))
    source = next((said for said in own if quote and quote in " ".join(said.text.split())), None)
    needed = _NEEDED.get(part, ("text",))
    kept = {name: _line(each.get(name))[: NAME if name in _NAMES else LONGEST] for name in ("text", *_NAMES)}
    kept = {name: value for name, value in kept.items() if value}
    if source is None or any(name not in kept for name in needed):
        return None
    return {**kept, "quote": quote, "message": source.number}


def _line(value: Any) -> str:
    words = " ".join(value.split()) if isinstance(value, str) else ""
    return words.encode(errors="replace").decode()
