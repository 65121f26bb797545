"""Elements of a page, written out: everything that is put between or into them is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

VOID = frozenset(("meta", "br", "line", "rect", "circle", "path"))


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Content = str | int | float | Iterable["Content"] | None


def tag(element: str, /, *content: Content, **attributes: str | float | bool | None) -> Markup:
    """``class_`` and ``aria_label`` are spelled as in Python; an attribute of None or False is left out."""
    told = "".join(_attribute(key, value) for key, value in attributes.items())
    if element in VOID and not content:
        return Markup(f"<{element}{told}>" if element in ("meta", "br") else f"<{element}{told}/>")
    return Markup(f"<{element}{told}>{text(content)}</{element}>")


def text(content: Content) -> Markup:
    """What is put between: markup as it is, anything else escaped."""
    if content is None:
        return Markup("")
    if isinstance(content, Markup):
        return content
    if isinstance(content, str | int | float):
        return Markup(escape(str(content)))
    return Markup("".join(text(each) for each in content))


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-") if key != "viewBox" else key
    shown = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f" {name}" if value is True else f' {name}="{escape(shown, quote=True)}"'
