"""What the tests of forms share."""

from __future__ import annotations

from typing import Any

from heartrule.language.nodes.forms import Form

OPTIONS = [{"value": number, "label": label} for number, label in enumerate(("无", "几天", "一半以上", "几乎每天"))]


def form(*fields: dict[str, Any], **rest: Any) -> Form:
    """A form of these fields; what they do not say is made up (a text with its id for a label)."""
    made = [{"label": each["id"], "type": "text", **each} for each in fields]
    return Form.model_validate({"form": "表", "id": "f", "fields": made, **rest})


def choice(name: str, **rest: Any) -> dict[str, Any]:
    return {"id": name, "type": "single", "options": OPTIONS, **rest}
