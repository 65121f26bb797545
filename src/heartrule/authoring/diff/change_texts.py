"""The words in which changes are said."""

from __future__ import annotations

import json
from typing import Any

from heartrule.authoring.diff.item_pairs import TITLES, identity
from heartrule.language.bilingual import Bilingual
from heartrule.language.projects.project import PROJECT_FILE
from heartrule.language.texts.source import Path

_KINDS = {
    "session": Bilingual("会谈", "session"),
    "phase": Bilingual("阶段", "phase"),
    "topic": Bilingual("话题", "topic"),
    "action": Bilingual("动作", "action"),
    "technique": Bilingual("技术", "technique"),
    "awareness": Bilingual("意识", "awareness"),
    "form": Bilingual("表单", "form"),
    "variable": Bilingual("变量", "variable"),
    "role": Bilingual("角色", "role"),
}
_KEYS = {
    "id": Bilingual("编号", "id"),
    "type": Bilingual("类型", "type"),
    "condition": Bilingual("条件", "condition"),
    "content": Bilingual("内容", "content"),
    "question": Bilingual("问题", "question"),
    "goal": Bilingual("目标", "goal"),
    "define": Bilingual("含义", "definition"),
    "output": Bilingual("输出", "output"),
    "skill": Bilingual("技术", "technique"),
    "form": Bilingual("表单", "form"),
    "tone": Bilingual("语气", "tone"),
    "name": Bilingual("名字", "name"),
    "locale": Bilingual("语言", "language"),
    "instructions": Bilingual("给模型的话", "instructions"),
    "transitions": Bilingual("去向", "transitions"),
    "value": Bilingual("值", "value"),
    "range": Bilingual("范围", "range"),
    "options": Bilingual("选项", "options"),
    "choices": Bilingual("选择", "choices"),
    "timeout": Bilingual("时限", "time limit"),
    "awareness": Bilingual("意识", "awareness"),
    "scores": Bilingual("计分", "scores"),
    "label": Bilingual("标签", "label"),
}
_MOST = Bilingual("最多问 {new} 次，原来 {old} 次", "asks at most {new} instead of {old} times")
_ROUNDS = Bilingual("最多 {new} 轮，原来 {old} 轮", "takes at most {new} instead of {old} rounds")
_SAYING = ("content", "question", "text", "skill", "form", "goal", "set", "src", "judge")
_LONGEST = 120
_END = 30
_MANY = 12


def joined(*parts: Bilingual | str) -> Bilingual:
    told = [part if isinstance(part, Bilingual) else Bilingual(part, part) for part in parts]
    return Bilingual("".join(each.zh for each in told), "".join(each.en for each in told))


def quoted(text: str) -> Bilingual:
    return Bilingual(f"“{text}”", f"“{text}”")


def file_called(file: str) -> Bilingual:
    return (
        Bilingual("项目设置", "the project's settings")
        if file == PROJECT_FILE
        else Bilingual(f"文件 {file}", f"file {file}")
    )


def node_called(kind: str, data: Any) -> Bilingual:
    """A node as people call it."""
    word = _KINDS[kind]
    title, id_ = data.get(TITLES.get(kind, "")), data.get("id")
    if kind == "variable" and title:
        return joined(word, " ", str(title))
    if isinstance(title, str) and title:
        locale = data.get("locale") if kind == "role" else None
        return joined(word, Bilingual("", " "), quoted(title), f" ({locale})" if locale else "")
    if id_:
        return joined(word, " ", str(id_))
    said = next((data[key] for key in _SAYING if isinstance(data.get(key), str) and data[key]), None)
    kindly = str(data.get("type") or "")
    told = joined(word, " ", kindly) if kindly else word
    return joined(told, Bilingual("", " "), quoted(clipped(said, 40))) if said else told


def item_called(item: Any) -> Bilingual:
    """An item of a list that is no node."""
    if isinstance(item, dict) and identity(item) is not None:
        return quoted(str(identity(item)[1]))  # type: ignore[index]
    return value_called(item, 60)


def part_called(item: Any, index: int) -> Bilingual:
    """An item of a list as it was: by its name, else by its number and what it begins with."""
    if isinstance(item, dict | list) and identity(item) is None:
        held = item.values() if isinstance(item, dict) else item
        first = next((each for each in held if isinstance(each, str) and each), "")
        told = Bilingual(f"第 {index + 1} 项", f"item {index + 1}")
        return joined(told, Bilingual("", " "), quoted(clipped(first, 40))) if first else told
    return item_called(item)


def key_called(key: str | int) -> Bilingual:
    return _KEYS.get(str(key)) or Bilingual(f"{key}", f"{key}")


def place_called(above: tuple[Bilingual, ...]) -> Bilingual:
    """Keys and items within a node."""
    told = [part for each in above for part in (each, Bilingual(" › ", " › "))][:-1]
    return joined(*told)


def clipped(value: str, length: int) -> str:
    text = " ".join(value.split())
    return text if len(text) <= length else text[: length - 1] + "…"


def value_called(value: Any, length: int = _LONGEST) -> Bilingual:
    """A value as it may stand in a sentence; texts have quotation marks and numbers have none."""
    if isinstance(value, str):
        return _text_called(value, length) if value.strip() else Bilingual("空", "an empty text")
    if value is None:
        return Bilingual("空", "nothing")
    if isinstance(value, bool):
        return Bilingual("是" if value else "否", "yes" if value else "no")
    told = clipped(json.dumps(value, ensure_ascii=False, default=str), length)
    return Bilingual(told, told)


def _text_called(value: str, length: int) -> Bilingual:
    """Of a long text its beginning, its end and its length, so that two of them do not read alike."""
    text = " ".join(value.split())
    if len(text) <= length or length <= _END * 2:
        return quoted(clipped(text, length))
    told = quoted(f"{text[: length - _END - 1]}…{text[-_END:]}")
    return joined(told, Bilingual(f"（共 {len(value)} 个字符）", f" ({len(value)} characters)"))


def whole_called(data: Any) -> Bilingual:
    """All that is in an item or a node: each field for itself, so that none is cut off by the others."""
    if not isinstance(data, dict) or not data:
        return value_called(data)
    fields = list(data.items())
    told = [joined(key_called(key), " ", value_called(value)) for key, value in fields[:_MANY]]
    rest = len(fields) - _MANY
    if rest > 0:
        keys = "、".join(str(key) for key, _ in fields[_MANY:])
        told.append(Bilingual(f"另有 {keys}", f"also {keys.replace('、', ', ')}"))
    return joined(*[part for each in told for part in (Bilingual("，", ", "), each)][1:])


def both_called(old: Any, new: Any) -> tuple[Bilingual, Bilingual]:
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


def _telling(old: Any, new: Any, one: Bilingual, other: Bilingual) -> tuple[Bilingual, Bilingual]:
    """Where two values would read the same, as they stand in full."""
    if one != other:
        return one, other
    full = [json.dumps(each, ensure_ascii=False, default=str) for each in (old, new)]
    return Bilingual(full[0], full[0]), Bilingual(full[1], full[1])


def _part(text: str, start: int, end: int) -> Bilingual:
    low, high = max(0, start - 15), min(len(text), end + 15)
    own = " ".join(text[low:high].split())
    if len(own) > _LONGEST * 2:
        own = f"{own[: _LONGEST * 2 - _END * 2]}…{own[-_END * 2 :]}"
    return quoted(("…" if low else "") + own + ("…" if high < len(text) else ""))


def changed(place: Bilingual, path: Path, kind: str | None, old: Any, new: Any) -> Bilingual:
    """What a field is instead of what it was."""
    one, other = both_called(old, new)
    if path and path[-1] == "max_rounds" and _numbers(old, new):
        most = _MOST if kind == "ask" else _ROUNDS
        return Bilingual(most.zh.format(new=new, old=old), most.en.format(new=new, old=old))
    return joined(place, Bilingual("由", " is now "), *_turned(one, other))


def instead(place: Bilingual, index: int, old: Any, new: Any) -> Bilingual:
    """An item of a list that is another one in the place of one that is gone."""
    texts = isinstance(old, str) and isinstance(new, str)
    one, other = both_called(old, new) if texts else (whole_called(old), whole_called(new))
    number = Bilingual(f"第 {index + 1} 项", f"item {index + 1}")
    return joined(place, Bilingual(" › ", " › "), number, Bilingual("由", " is now "), *_turned(one, other))


def _turned(one: Bilingual, other: Bilingual) -> list[Bilingual]:
    zh = f"{one.zh}改成{other.zh}"
    return [Bilingual(zh, f"{other.en} instead of {one.en}")]


def _numbers(*values: Any) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) for each in values)


def put(place: Bilingual, value: Any) -> Bilingual:
    return joined(Bilingual("新写了", "new "), place, Bilingual("：", ": "), value_called(value))


def gone(place: Bilingual, value: Any) -> Bilingual:
    return joined(
        Bilingual("去掉了", "no more "),
        place,
        Bilingual("（原来是", " (was "),
        value_called(value),
        Bilingual("）", ")"),
    )


def of_node(node: Bilingual, told: Bilingual) -> Bilingual:
    return joined(node, Bilingual("：", ": "), told)


def within(inner: Bilingual, outer: Bilingual) -> Bilingual:
    return Bilingual(f"{outer.zh}里的{inner.zh}", f"{inner.en} in {outer.en}")
