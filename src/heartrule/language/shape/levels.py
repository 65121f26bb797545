"""At which level of a script a key stands, for who wrote it at another."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel

from heartrule.language.bilingual import Bilingual
from heartrule.language.nodes import Awareness, Directive, Get, Parameter, Phase, Session, Skill, Topic, Variable
from heartrule.language.nodes.forms import Form, FormField, Score
from heartrule.language.shape.keys import keys

_LEVELS: tuple[tuple[Bilingual, type[BaseModel]], ...] = (
    (Bilingual("会谈", "a session"), Session),
    (Bilingual("阶段", "a phase"), Phase),
    (Bilingual("话题", "a topic"), Topic),
    (Bilingual("技术", "a skill"), Skill),
    (Bilingual("技术的参数", "a parameter of a skill"), Parameter),
    (Bilingual("意识脚本", "an awareness script"), Awareness),
    (Bilingual("指令", "a directive"), Directive),
    (Bilingual("变量", "a variable"), Variable),
    (Bilingual("动作的 output", "an output of an action"), Get),
    (Bilingual("表单", "a form"), Form),
    (Bilingual("表单的字段", "a field of a form"), FormField),
    (Bilingual("表单的得分", "a score of a form"), Score),
)
_MOST = 3
"""What stands at more levels than these says little of where it belongs."""


@cache
def levels(key: str) -> Bilingual | None:
    """What a key belongs to; None where that is nothing, or too much."""
    found = [said for said, model in _LEVELS if key in keys(model)]
    if not 0 < len(found) <= _MOST:
        return None
    zh, en = "、".join(each.zh for each in found), " or ".join(each.en for each in found)
    return Bilingual(f"“{key}”写在{zh}里。", f"“{key}” belongs to {en}.")
