"""Edits told as places with what stood there and what stands there, in the script's own keys: made of the edit, and of
nothing that the comparer knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

LANGUAGES = ("zh-CN", "en")
TITLED = {
    "sessions": (("会谈", "session"), "session"),
    "phases": (("阶段", "phase"), "phase"),
    "steps": (("话题", "topic"), "topic"),
    "actions": (("动作", "action"), "type"),
    "skills": (("技术", "technique"), "skill"),
    "awareness": (("意识", "awareness"), "awareness"),
    "forms": (("表单", "form"), "form"),
    "global": (("变量", "variable"), "var"),
    "declare": (("变量", "variable"), "var"),
    "roles": (("角色", "role"), "role"),
}
"""What items of these lists are called, and by which key."""
NAMES = ("id", "var", "get", "value", "label", "to", "pattern", "say", "name")
ABSENT = ("（没有）", "(not there)")
BETWEEN = ("在{}和{}之间", "between {} and {}")
ENDS = (("开头", "末尾"), ("the beginning", "the end"))
IN = ("{}，{}", "{}, {}")
ORDER = ("次序", "order")
FILE = ("文件", "file")
COMMENT = ("注释", "comment")
WHOLE, AROUND, MOST = 200, 40, 700
Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One place, what stood there and what stands there, in one language."""

    place: str
    before: str = field(repr=False)
    after: str = field(repr=False)

    def backwards(self) -> Line:
        return Line(self.place, self.after, self.before)


def at(documents: Any, path: Path) -> Any:
    """What stands there. Raises ``KeyError``, ``IndexError`` or ``TypeError`` where nothing does."""
    for part in path:
        documents = documents[part]
    return documents


def of(language: str, pair: Sequence[Any]) -> Any:
    return pair[LANGUAGES.index(language)]


def item(key: Any, index: int, data: Any, language: str) -> str:
    """An item of the list at a key."""
    if not isinstance(data, dict):
        return f"#{index + 1}"
    if key in TITLED:
        words, title = TITLED[key]
        names = [str(data[each]) for each in (title, "id", "locale") if isinstance(data.get(each), str)]
        number = f"#{index + 1} " if "id" not in data and key == "actions" else ""
        return f"{of(language, words)} {number}{' / '.join(names)}"
    name = next((f" ({each}: {clipped(data[each], 40)})" for each in NAMES if data.get(each) not in (None, "")), "")
    return f"#{index + 1}{name}"


def place(file: str, documents: Any, path: Path, language: str) -> str:
    parts, here = [file], at(documents, path[:1])
    for depth, part in enumerate(path[1:], 1):
        above, here = here, here[part] if isinstance(part, int) or part in here else None
        parts.append(item(path[depth - 1], part, above[part], language) if isinstance(part, int) else str(part))
    return " › ".join(parts)


def clipped(value: Any, length: int) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= length else text[: length - 1] + "…"


def value(data: Any, language: str) -> str:
    """A value that stands alone: whole, unless it is very long."""
    if data is None:
        return str(of(language, ABSENT))
    told = written(data)
    return told if len(told) <= MOST else f"{told[:MOST]}… (+{len(told) - MOST})"


def written(data: Any) -> str:
    if isinstance(data, str):
        return "“" + data.replace("\n", "⏎") + "”"
    told: str = yaml.safe_dump(data, default_flow_style=True, allow_unicode=True, width=10**9, sort_keys=False)
    return told.removesuffix("\n").removesuffix("\n...").replace("\n", " ")


def both(before: Any, after: Any, language: str) -> tuple[str, str]:
    """Two values of one place: of long ones what is around the difference."""
    if before is None or after is None:
        return value(before, language), value(after, language)
    one, other = written(before), written(after)
    if max(len(one), len(other)) <= WHOLE:
        return one, other
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return _window(one, start, end), _window(other, start, end)


def _window(text: str, start: int, end: int) -> str:
    low, high = max(0, start - AROUND), min(len(text), len(text) - end + AROUND)
    return ("…" if low else "") + text[low:high] + ("…" if high < len(text) else "")


def neighbours(key: Any, items: Sequence[Any], index: int, language: str, *, without: int | None = None) -> str:
    """Between which items of a list the one is that stands, or would stand, at an index. ``without``: itself."""
    told = [item(key, n, each, language) for n, each in enumerate(items) if n != without]
    first, last = of(language, ENDS)
    before = told[index - 1] if index else first
    after = told[index] if index < len(told) else last
    return str(of(language, BETWEEN)).format(before, after)
