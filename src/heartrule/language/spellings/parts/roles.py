"""``roles``: who speaks is said by ``type: AI`` or ``HUMAN`` elsewhere, or by nothing, and ``role`` is what the part is
called."""

from __future__ import annotations

import re

from heartrule.language.bilingual import Bilingual
from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, taken
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit, Piece

KINDS = {"AI": "ai", "HUMAN": "person", "USER": "person", "ROBOT": "ai", "BOT": "ai"}
_OURS = frozenset(KINDS.values())
_CALLED = (
    (
        "person",
        re.compile(
            r"来访者|访客|用户|客户|患者|病人|学员|学生|候选人|求助者|我\Z|\b(?:user|client|patient|person|visitor|candidate"
            r"|student|customer|coachee|human|you)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "ai",
        re.compile(
            r"咨询师|治疗师|医生|护士|老师|教练|助手|机器人|向导|主持|面试官|\b(?:ai|bot|assistant|coach|therapist|nurse|doctor"
            r"|counsell?or|guide|interviewer|teacher|agent|system|host)\b",
            re.IGNORECASE,
        ),
    ),
)
_WHO = Bilingual(
    "说话的是 AI 还是来访者，写 role: ai 或 role: person。",
    "Say who it is: role: ai, or role: person.",
)


def spelled(here: SpelledMapping) -> Made:
    role, kind = here.get("role"), here.get("type")
    own = here.text("role")
    form = KINDS.get((here.text("type") or "").upper())
    if kind is None:
        yield from _untold(here)
        return
    if role is None or own is None or form is None or not role.value.single or "\n" in own:
        return
    yield [*_renamed(here, own, form), *here.page.remove(here.node, kind)]


def _renamed(here: SpelledMapping, own: str, form: str) -> list[Edit]:
    """``role: 向导`` → who speaks; what the part was called is the name, or a comment beside one."""
    page, role = here.page, here.get("role")
    assert role is not None
    value = role.value
    named: tuple[Piece, ...] = ()
    if here.node.flow:
        told = [page.above(here.node.start, own)] if here.get("name") and here.text("name") != own else []
        named = () if here.get("name") else (f", name: {scalar(own)}",)
        return [*told, Edit(value.start, value.end, (form, *named))]
    if here.get("name") is None:
        named = ("\n" + " " * page.column(role.key.start) + f"name: {scalar(own)}",)
    elif here.text("name") != own:
        named = (f"  # {own}",)
    return [Edit(value.start, value.end, (form, *named))]


def _untold(here: SpelledMapping) -> Made:
    """Without a type: by what the part is called, or by a tone, which only who speaks for us has."""
    role, own = here.get("role"), here.text("role")
    if role is None:
        named = here.get("name")
        form = _guessed(here, here.text("name") or "") if named else None
        if named and form:
            yield taken(named, "role", "name", _WHO, here.page.before(here.node, named, f"role: {form}"))
        return
    if own is None or own in _OURS or "\n" in own:
        return
    form = KINDS.get(own.upper()) if own.upper() in KINDS else _guessed(here, f"{own} {here.text('name') or ''}")
    if form and own.upper() in KINDS and here.get("name"):
        yield [Edit(role.value.start, role.value.end, (form,))]
    elif form:
        yield taken(role, "role", "role", _WHO, _renamed(here, own, form))


def _guessed(here: SpelledMapping, called: str) -> str | None:
    told = next((form for form, words in _CALLED if words.search(called)), None)
    return told or ("ai" if here.get("tone") else None)
