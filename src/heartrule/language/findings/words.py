"""The path to a place in a script, in words: 会谈 ABC模型介绍 › 阶段 概念介绍 › 话题 核心概念 › 第 2 个动作."""

from __future__ import annotations

from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.source import Path

# list key: (what an item is called, the key its name is under)
_NAMED: dict[str, tuple[Bilingual, str]] = {
    "sessions": (Bilingual("会谈", "session"), "session"),
    "phases": (Bilingual("阶段", "phase"), "phase"),
    "steps": (Bilingual("话题", "topic"), "topic"),
    "skills": (Bilingual("技术", "skill"), "skill"),
    "awareness": (Bilingual("意识", "awareness"), "awareness"),
    "global": (Bilingual("变量", "variable"), "var"),
    "declare": (Bilingual("变量", "variable"), "var"),
    "parameters": (Bilingual("参数", "parameter"), "name"),
    "roles": (Bilingual("角色", "role"), "name"),
    "fields": (Bilingual("字段", "field"), "name"),
    "forms": (Bilingual("表单", "form"), "form"),
    "scores": (Bilingual("得分", "score"), "id"),
}
_NUMBERED: dict[str, Bilingual] = {
    "actions": Bilingual("动作", "action"),
    "output": Bilingual("输出", "output"),
    "transitions": Bilingual("跳转", "transition"),
    "choices": Bilingual("选项", "choice"),
    "rules": Bilingual("规则", "rule"),
    "explicit": Bilingual("明确规则", "explicit rule"),
    "watch": Bilingual("留意规则", "watch rule"),
    "others": Bilingual("说别人的规则", "rule of others"),
    "custom_conditions": Bilingual("条件", "condition"),
    "options": Bilingual("选项", "option"),
    "bands": Bilingual("分段", "band"),
    "validate": Bilingual("检查", "check"),
    "on_answer": Bilingual("on_answer 指令", "on_answer directive"),
    "on_submit": Bilingual("on_submit 指令", "on_submit directive"),
    "then": Bilingual("指令", "directive"),
    "on_wish": Bilingual("on_wish 指令", "on_wish directive"),
    "on_watch": Bilingual("on_watch 指令", "on_watch directive"),
    "on_other": Bilingual("on_other 指令", "on_other directive"),
    "on_unknown": Bilingual("on_unknown 指令", "on_unknown directive"),
}
_LONGEST = 40
EMPTY = Bilingual("", "")


def step(above: Bilingual, key: str | int | None, index: str | int, item: Any) -> Bilingual:
    """The words for item ``index`` of the list under ``key``, after ``above``."""
    if not isinstance(index, int) or not isinstance(key, str):
        return above
    own = _own(key, index, item)
    if own is None:
        return above
    return own if above == EMPTY else Bilingual(f"{above.zh} › {own.zh}", f"{above.en} › {own.en}")


def words(documents: list[Any], path: Path) -> Bilingual:
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


def _own(key: str, index: int, item: Any) -> Bilingual | None:
    named = _NAMED.get(key)
    if named is not None:
        kind, under = named
        name = _under(item, under) or _under(item, "id")
        if isinstance(name, str | int) and str(name).strip():
            text = " ".join(str(name).split())[:_LONGEST]
            return Bilingual(f"{kind.zh} {text}", f"{kind.en} {text}")
    else:
        numbered = _NUMBERED.get(key)
        if numbered is None:
            return None
        kind = numbered
    return Bilingual(f"第 {index + 1} 个{kind.zh}", f"{kind.en} {index + 1}")
