"""At which level of a script a key stands, for who wrote it at another."""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel

from heartrule.language.bilingual import Said
from heartrule.language.nodes import Awareness, Directive, Get, Parameter, Phase, Session, Skill, Topic, Variable
from heartrule.language.nodes.forms import Form, FormField, Score
from heartrule.language.shape.keys import keys

_LEVELS: tuple[tuple[Said, type[BaseModel]], ...] = (
    (Said("会谈", "a session"), Session),
    (Said("阶段", "a phase"), Phase),
    (Said("话题", "a topic"), Topic),
    (Said("技术", "a skill"), Skill),
    (Said("技术的参数", "a parameter of a skill"), Parameter),
    (Said("意识脚本", "an awareness script"), Awareness),
    (Said("指令", "a directive"), Directive),
    (Said("变量", "a variable"), Variable),
    (Said("动作的 output", "an output of an action"), Get),
    (Said("表单", "a form"), Form),
    (Said("表单的字段", "a field of a form"), FormField),
    (Said("表单的得分", "a score of a form"), Score),
)
_MOST = 3
"""What stands at more levels than these says little of where it belongs."""


@cache
def levels(key: str) -> Said | None:
    """What a key belongs to; None where that is nothing, or too much."""
    found = [said for said, model in _LEVELS if key in keys(model)]
    if not 0 < len(found) <= _MOST:
        return None
    zh, en = "、".join(each.zh for each in found), " or ".join(each.en for each in found)
    return Said(f"“{key}”写在{zh}里。", f"“{key}” belongs to {en}.")
