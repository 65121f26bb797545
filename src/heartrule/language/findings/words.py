"""The path to a place in a script, in words: 会谈 ABC模型介绍 › 阶段 概念介绍 › 话题 核心概念 › 第 2 个动作."""

from __future__ import annotations

from typing import Any

from heartrule.language.bilingual import Said
from heartrule.language.texts.source import Path

# list key: (what an item is called, the key its name is under)
_NAMED: dict[str, tuple[Said, str]] = {
    "sessions": (Said("会谈", "session"), "session"),
    "phases": (Said("阶段", "phase"), "phase"),
    "steps": (Said("话题", "topic"), "topic"),
    "skills": (Said("技术", "skill"), "skill"),
    "awareness": (Said("意识", "awareness"), "awareness"),
    "global": (Said("变量", "variable"), "var"),
    "declare": (Said("变量", "variable"), "var"),
    "parameters": (Said("参数", "parameter"), "name"),
    "roles": (Said("角色", "role"), "name"),
    "fields": (Said("字段", "field"), "name"),
    "forms": (Said("表单", "form"), "form"),
    "scores": (Said("得分", "score"), "id"),
}
_NUMBERED: dict[str, Said] = {
    "actions": Said("动作", "action"),
    "output": Said("输出", "output"),
    "transitions": Said("跳转", "transition"),
    "choices": Said("选项", "choice"),
    "rules": Said("规则", "rule"),
    "explicit": Said("明确规则", "explicit rule"),
    "watch": Said("留意规则", "watch rule"),
    "others": Said("说别人的规则", "rule of others"),
    "custom_conditions": Said("条件", "condition"),
    "options": Said("选项", "option"),
    "bands": Said("分段", "band"),
    "validate": Said("检查", "check"),
    "on_answer": Said("on_answer 指令", "on_answer directive"),
    "on_submit": Said("on_submit 指令", "on_submit directive"),
    "then": Said("指令", "directive"),
    "on_wish": Said("on_wish 指令", "on_wish directive"),
    "on_watch": Said("on_watch 指令", "on_watch directive"),
    "on_other": Said("on_other 指令", "on_other directive"),
    "on_unknown": Said("on_unknown 指令", "on_unknown directive"),
}
_LONGEST = 40
EMPTY = Said("", "")


def step(above: Said, key: str | int | None, index: str | int, item: Any) -> Said:
    """The words for item ``index`` of the list under ``key``, after ``above``."""
    if not isinstance(index, int) or not isinstance(key, str):
        return above
    own = _own(key, index, item)
    if own is None:
        return above
    return own if above == EMPTY else Said(f"{above.zh} › {own.zh}", f"{above.en} › {own.en}")


def words(documents: list[Any], path: Path) -> Said:
    """The words for ``path``, as far as it leads."""
    said = EMPTY
    data: Any = documents
    key: str | int | None = None
    for part in path:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            break
        said = step(said, key, part, data)
        key = part
    return said


def _under(item: Any, key: str) -> Any:
    return item.get(key) if isinstance(item, dict) else getattr(item, key, None)


def _own(key: str, index: int, item: Any) -> Said | None:
    named = _NAMED.get(key)
    if named is not None:
        kind, under = named
        name = _under(item, under) or _under(item, "id")
        if isinstance(name, str | int) and str(name).strip():
            text = " ".join(str(name).split())[:_LONGEST]
            return Said(f"{kind.zh} {text}", f"{kind.en} {text}")
    else:
        numbered = _NUMBERED.get(key)
        if numbered is None:
            return None
        kind = numbered
    return Said(f"第 {index + 1} 个{kind.zh}", f"{kind.en} {index + 1}")
