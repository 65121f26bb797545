"""Questions back: what a person asks the one who asks them – who are you, can you help, who will see this.

Only a message that is nothing but such questions counts. A question about the person's own life (我是不是没救了) is an
answer, and so is one that quotes somebody.
"""

from __future__ import annotations

import re
from typing import Literal

from heartrule.parsing.phrase_files import phrases
from heartrule.parsing.text import MAX_READ, clauses, fold, normalise, words_of

QuestionBack = Literal["who", "help", "private"]
_LONGEST = 60
_QUOTED = re.compile("[\"'“”‘’「」『』《》](?![a-z])|[“”「」『』]")

_PHRASES = phrases("questions")
_KINDS: tuple[QuestionBack, ...] = ("who", "help", "private")
_ASKED_FOR_SURE = re.compile("[吗么嘛]|是不是|能不能|可不可以|能否|会不会|不能|不会|谁|什么|啥|还是")

_GREETING = re.compile("(?:你好|您好|嗨|哈喽|hi|hello|hey|嗯+|额+|呃+|那个|等等|请问|wait|um+|sorry|不好意思|谢谢)+")
_INVITED = re.compile(
    r"疑问|疑虑|想问|要问|问我|什么问题|哪些问题|\bquestions?\b|\bask\b",
    re.IGNORECASE,
)


def question_back(text: str) -> QuestionBack | None:
    """What is asked of us when ``text`` is nothing but questions to us, in Chinese or English; of several the first."""
    if len(text) > MAX_READ or _QUOTED.search(text.casefold()):
        return None
    plain = normalise(text).casefold()
    if len(fold(plain)) > _LONGEST or "…" in plain:
        return None
    parts = [clause for clause in clauses(plain) if not _GREETING.fullmatch(fold(clause.text))]
    kinds = [_kind(clause.text, asks=clause.asks) for clause in parts]
    return kinds[0] if kinds and all(kinds) else None


def invites_questions(question: str) -> bool:
    """Whether what we asked was what they would like to ask: then a question is the answer."""
    return _INVITED.search(question) is not None


def _kind(text: str, *, asks: bool) -> QuestionBack | None:
    """你能帮我 is only a question where it is put as one."""
    said, words = fold(text), words_of(text)
    for kind in _KINDS:
        if _PHRASES.is_one(kind, "zh", said) and (asks or _ASKED_FOR_SURE.search(said)):
            return kind
        if _PHRASES.is_one(kind, "en", words):
            return kind
    return None
