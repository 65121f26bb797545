"""What is spoken without a model, and small repairs of what a model said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from heartrule.engine.extraction import gets
from heartrule.engine.prompting import fill
from heartrule.engine.scopes import definition, rules_for
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Get, Set
from heartrule.language.readers import fold

_NOTES = re.compile(r"^\s*【[^】\n]{1,40}】", re.MULTILINE)
_SOUNDS = re.compile(
    "(?:[嗯哦噢喔啊呃额唔哈呵嘿唉哎诶欸呀]|h+m+|u+m+|u+h+|e+r+m*|o+h+|a+h+|(?:ha)+h?|lol)*", re.IGNORECASE
)
EMPTY = "empty"
"""Stands for a repair phrase where an answer was a sound and no more, and the script does not take that for one."""
_TAIL = r"[\s”\"'’」』）)\]~～!！…—\u200d\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]*"
_ASKS = re.compile(rf"[?？]{_TAIL}\Z")
_PUTS = re.compile(r"[?？][^?？]{0,60}\Z")
_LAST_SENTENCE = re.compile(rf"[^。！？!?\n]*[?？]+{_TAIL}\Z")


def without_notes(content: str) -> str:
    """An ``ai_say`` content as it may be spoken: without the author's notes, which begin at a 【…】 heading."""
    found = _NOTES.search(content)
    return (content[: found.start()] if found else content).strip()


def says_nothing(text: str) -> bool:
    """Whether the words are a sound and no more."""
    return _SOUNDS.fullmatch(fold(text)) is not None


def acknowledgement(work: Work) -> str:
    """A short word that the last answer has been heard; variants take turns."""
    return work.spoken("acknowledge", work.state.seq)


def asks(text: str) -> bool:
    """Whether a reply ends by asking something."""
    return _ASKS.search(text) is not None


def puts_a_question(text: str) -> bool:
    """Whether a reply asks something, if need be with a short remark after the question ("one word will do")."""
    return _PUTS.search(text.strip()) is not None


def without_question(text: str) -> str:
    """A reply without the questions that it ends in; empty when it is nothing else."""
    while asks(text):
        text = _LAST_SENTENCE.sub("", text)
    return text.strip()


def just_said(work: Work) -> str:
    """What the AI has said last in this turn, since the person spoke: the words that choices belong to."""
    last = work.messages[-1] if work.messages else None
    return last.text if last is not None and last.sender == "ai" else ""


def question_for(work: Work, output: Sequence[Get | Set], name: str | None) -> str:
    """A question made from an output's ``define``."""
    item = next((item for item in gets(output) if name is None or item.get == name), None)
    if item is None:
        return work.spoken("ask_open", 0)
    rules = rules_for(definition(work, item.get)[1], item)
    wanted = fill(work, rules.define, to_person=True).rstrip("。.；;") or item.get.rpartition(".")[2]
    template = work.spoken("ask_from_define", 0)
    return placeholders.fill(template, lambda _: wanted, lambda _: None, missing=lambda _: wanted)


def reask(work: Work, question: str, reason: str, repair: str | None) -> str:
    """The same question once more, with a word about why."""
    if repair == EMPTY:
        reason, repair = "tell_more", None
    lead = work.spoken(f"repair_{repair}", 0) if repair else work.spoken(reason, work.frame.round)
    return f"{lead}\n{question}" if question else lead
