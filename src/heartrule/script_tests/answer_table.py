"""Whether scripted answers can be answers: templates that are asked, in shapes that can be sent."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.script_tests.provider import FAIL, TIMEOUT
from heartrule.script_tests.unused_answers import THEN, TRIES, WHEN

_NOT_ASKED = frozenset({"go_on", "mend", "phase", "rules", "script", "values", "visitor"})
"""Templates that are parts of others, follow on them, or are asked outside of sessions."""


@cache
def templates() -> frozenset[str]:
    """What a model can be asked with."""
    folder = resources.files("heartrule.prompts").joinpath("default", "en")
    names = {file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md")}
    return frozenset(names - _NOT_ASKED)


def wrong(answer: Any) -> Bilingual | None:
    """What keeps an answer from being one."""
    if isinstance(answer, list):
        return next(filter(None, map(wrong, answer)), None) if answer else Bilingual("列表是空的", "an empty list")
    if isinstance(answer, str):
        return _wrong_word(answer)
    if not isinstance(answer, Mapping):
        return Bilingual("不是一组字段，也不是文字", "neither a mapping nor a text")
    near = {key: get_close_matches(str(key), (WHEN, THEN, TRIES), 1, 0.8) for key in answer}
    meant = next(((key, found[0]) for key, found in near.items() if found and key not in (WHEN, THEN, TRIES)), None)
    if meant:
        return Bilingual(f"`{meant[0]}` 是不是想写 `{meant[1]}`", f"`{meant[0]}`: did you mean `{meant[1]}`")
    if (WHEN in answer) != (THEN in answer) or (WHEN in answer and len(answer) > 2):
        return Bilingual(f"{WHEN} 和 {THEN} 要写在一起", f"{WHEN} and {THEN} belong together, and stand alone")
    if TRIES in answer and (len(answer) > 1 or not isinstance(answer[TRIES], list) or not answer[TRIES]):
        return Bilingual(f"{TRIES} 要单独写，是一个列表", f"{TRIES} stands alone and is a list")
    if WHEN in answer:
        words = answer[WHEN] if isinstance(answer[WHEN], list) else [answer[WHEN]]
        if not words or not all(str(each) for each in words):
            return Bilingual(f"{WHEN} 是空的，什么提示词都合", f"{WHEN} is empty: every prompt has that")
        return wrong(answer[THEN])
    return next(filter(None, map(wrong, answer[TRIES])), None) if TRIES in answer else None


def _wrong_word(answer: str) -> Bilingual | None:
    if not answer:
        return Bilingual("是空的", "it is empty")
    word = answer.strip()
    near = get_close_matches(word.lower(), (FAIL, TIMEOUT), 1, 0.75) if word.isascii() and word.isalpha() else []
    if near and answer not in (FAIL, TIMEOUT):
        return Bilingual(f"`{word}` 是不是想写 `{near[0]}`", f"`{word}`: did you mean `{near[0]}`")
    return None
