"""The words in which changes are said."""

from __future__ import annotations

import json
from typing import Any

from heartrule.authoring.diff.item_pairs import TITLES, identity
from heartrule.language.bilingual import Said
from heartrule.language.projects.project import PROJECT_FILE
from heartrule.language.texts.source import Path

_KINDS = {
    "session": Said("会谈", "session"),
    "phase": Said("阶段", "phase"),
    "topic": Said("话题", "topic"),
    "action": Said("动作", "action"),
    "technique": Said("技术", "technique"),
    "awareness": Said("意识", "awareness"),
    "form": Said("表单", "form"),
    "variable": Said("变量", "variable"),
    "role": Said("角色", "role"),
}
_KEYS = {
    "id": Said("编号", "id"),
    "type": Said("类型", "type"),
    "condition": Said("条件", "condition"),
    "content": Said("内容", "content"),
    "question": Said("问题", "question"),
    "goal": Said("目标", "goal"),
    "define": Said("含义", "definition"),
    "output": Said("输出", "output"),
    "skill": Said("技术", "technique"),
    "form": Said("表单", "form"),
    "tone": Said("语气", "tone"),
    "name": Said("名字", "name"),
    "locale": Said("语言", "language"),
    "instructions": Said("给模型的话", "instructions"),
    "transitions": Said("去向", "transitions"),
    "value": Said("值", "value"),
    "range": Said("范围", "range"),
    "options": Said("选项", "options"),
    "choices": Said("选择", "choices"),
    "timeout": Said("时限", "time limit"),
    "awareness": Said("意识", "awareness"),
    "scores": Said("计分", "scores"),
    "label": Said("标签", "label"),
}
_MOST = Said("最多问 {new} 次，原来 {old} 次", "asks at most {new} instead of {old} times")
_ROUNDS = Said("最多 {new} 轮，原来 {old} 轮", "takes at most {new} instead of {old} rounds")
_SAYING = ("content", "question", "text", "skill", "form", "goal", "set", "src", "judge")
_LONGEST = 120
_END = 30
_MANY = 12


def joined(*parts: Said | str) -> Said:
    told = [part if isinstance(part, Said) else Said(part, part) for part in parts]
    return Said("".join(each.zh for each in told), "".join(each.en for each in told))


def quoted(text: str) -> Said:
    return Said(f"“{text}”", f"“{text}”")


def file_called(file: str) -> Said:
    return Said("项目设置", "the project's settings") if file == PROJECT_FILE else Said(f"文件 {file}", f"file {file}")


def node_called(kind: str, data: Any) -> Said:
    """A node as people call it."""
    word = _KINDS[kind]
    title, id_ = data.get(TITLES.get(kind, "")), data.get("id")
    if kind == "variable" and title:
        return joined(word, " ", str(title))
    if isinstance(title, str) and title:
        locale = data.get("locale") if kind == "role" else None
        return joined(word, Said("", " "), quoted(title), f" ({locale})" if locale else "")
    if id_:
        return joined(word, " ", str(id_))
    said = next((data[key] for key in _SAYING if isinstance(data.get(key), str) and data[key]), None)
    kindly = str(data.get("type") or "")
    told = joined(word, " ", kindly) if kindly else word
    return joined(told, Said("", " "), quoted(clipped(said, 40))) if said else told


def item_called(item: Any) -> Said:
    """An item of a list that is no node."""
    if isinstance(item, dict) and identity(item) is not None:
        return quoted(str(identity(item)[1]))  # type: ignore[index]
    return value_called(item, 60)


def part_called(item: Any, index: int) -> Said:
    """An item of a list as it was: by its name, else by its number and what it begins with."""
    if isinstance(item, dict | list) and identity(item) is None:
        held = item.values() if isinstance(item, dict) else item
        first = next((each for each in held if isinstance(each, str) and each), "")
        told = Said(f"第 {index + 1} 项", f"item {index + 1}")
        return joined(told, Said("", " "), quoted(clipped(first, 40))) if first else told
    return item_called(item)


def key_called(key: str | int) -> Said:
    return _KEYS.get(str(key)) or Said(f"{key}", f"{key}")


def place_called(above: tuple[Said, ...]) -> Said:
    """Keys and items within a node."""
    told = [part for each in above for part in (each, Said(" › ", " › "))][:-1]
    return joined(*told)


def clipped(value: str, length: int) -> str:
    text = " ".join(value.split())
    return text if len(text) <= length else text[: length - 1] + "…"


def value_called(value: Any, length: int = _LONGEST) -> Said:
    """A value as it may stand in a sentence; texts have quotation marks and numbers have none."""
    if isinstance(value, str):
        return _text_called(value, length) if value.strip() else Said("空", "an empty text")
    if value is None:
        return Said("空", "nothing")
    if isinstance(value, bool):
        return Said("是" if value else "否", "yes" if value else "no")
    told = clipped(json.dumps(value, ensure_ascii=False, default=str), length)
    return Said(told, told)


def _text_called(value: str, length: int) -> Said:
    """Of a long text its beginning, its end and its length, so that two of them do not read alike."""
    text = " ".join(value.split())
    if len(text) <= length or length <= _END * 2:
        return quoted(clipped(text, length))
    told = quoted(f"{text[: length - _END - 1]}…{text[-_END:]}")
    return joined(told, Said(f"（共 {len(value)} 个字符）", f" ({len(value)} characters)"))


def whole_called(data: Any) -> Said:
    """All that is in an item or a node: each field for itself, so that none is cut off by the others."""
    if not isinstance(data, dict) or not data:
        return value_called(data)
    fields = list(data.items())
    told = [joined(key_called(key), " ", value_called(value)) for key, value in fields[:_MANY]]
    rest = len(fields) - _MANY
    if rest > 0:
        keys = "、".join(str(key) for key, _ in fields[_MANY:])
        told.append(Said(f"另有 {keys}", f"also {keys.replace('、', ', ')}"))
    return joined(*[part for each in told for part in (Said("，", ", "), each)][1:])


def both_called(old: Any, new: Any) -> tuple[Said, Said]:
    """Two values so that what differs is among what is shown: of long texts the part around it."""
    one, other = (value_called(each) for each in (old, new))
    if not (isinstance(old, str) and isinstance(new, str)):
        return _telling(old, new, one, other)
    if max(len(old), len(new)) <= _LONGEST and one != other:
        return one, other
    if " ".join(old.split()) == " ".join(new.split()):
        return quoted(json.dumps(old, ensure_ascii=False)[1:-1]), quoted(json.dumps(new, ensure_ascii=False)[1:-1])
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return _part(old, start, len(old) - end), _part(new, start, len(new) - end)


def _telling(old: Any, new: Any, one: Said, other: Said) -> tuple[Said, Said]:
    """Where two values would read the same, as they stand in full."""
    if one != other:
        return one, other
    full = [json.dumps(each, ensure_ascii=False, default=str) for each in (old, new)]
    return Said(full[0], full[0]), Said(full[1], full[1])


def _part(text: str, start: int, end: int) -> Said:
    low, high = max(0, start - 15), min(len(text), end + 15)
    own = " ".join(text[low:high].split())
    if len(own) > _LONGEST * 2:
        own = f"{own[: _LONGEST * 2 - _END * 2]}…{own[-_END * 2 :]}"
    return quoted(("…" if low else "") + own + ("…" if high < len(text) else ""))


def changed(place: Said, path: Path, kind: str | None, old: Any, new: Any) -> Said:
    """What a field is instead of what it was."""
    one, other = both_called(old, new)
    if path and path[-1] == "max_rounds" and _numbers(old, new):
        most = _MOST if kind == "ask" else _ROUNDS
        return Said(most.zh.format(new=new, old=old), most.en.format(new=new, old=old))
    return joined(place, Said("由", " is now "), *_turned(one, other))


def instead(place: Said, index: int, old: Any, new: Any) -> Said:
    """An item of a list that is another one in the place of one that is gone."""
    texts = isinstance(old, str) and isinstance(new, str)
    one, other = both_called(old, new) if texts else (whole_called(old), whole_called(new))
    number = Said(f"第 {index + 1} 项", f"item {index + 1}")
    return joined(place, Said(" › ", " › "), number, Said("由", " is now "), *_turned(one, other))


def _turned(one: Said, other: Said) -> list[Said]:
    zh = f"{one.zh}改成{other.zh}"
    return [Said(zh, f"{other.en} instead of {one.en}")]


def _numbers(*values: Any) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) for each in values)


def put(place: Said, value: Any) -> Said:
    return joined(Said("新写了", "new "), place, Said("：", ": "), value_called(value))


def gone(place: Said, value: Any) -> Said:
    return joined(Said("去掉了", "no more "), place, Said("（原来是", " (was "), value_called(value), Said("）", ")"))


def of_node(node: Said, told: Said) -> Said:
    return joined(node, Said("：", ": "), told)


def within(inner: Said, outer: Said) -> Said:
    return Said(f"{outer.zh}里的{inner.zh}", f"{inner.en} in {outer.en}")
