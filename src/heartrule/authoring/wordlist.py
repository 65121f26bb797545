"""The simple form of an awareness script's rules: words that count wherever they are heard. They are patterns like all
others, each the word itself; rules that are more than that are left to the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from heartrule.authoring.wire import Json
from heartrule.language.bilingual import Bilingual
from heartrule.parsing.traditional import SIMPLIFIED

_SIGNS = r"\.+*?()[]{}|^$<>"
_SIGN = re.compile(f"[{re.escape(_SIGNS)}]")
_LITERAL = re.compile(rf"(?:[^{re.escape(_SIGNS)}]|\\[{re.escape(_SIGNS)}])+")
_ESCAPED = re.compile(rf"\\([{re.escape(_SIGNS)}])")
_ALTERNATIVES = re.compile(r"((?:[^\\|]|\\.)+)(?:\||\Z)")
_CJK = "\u3400-\u4dbf\u4e00-\u9fff"
_APART = re.compile(rf"(?<=[{_CJK}])[ .·•*_\-~^/\\|+#@`'\"=<>…‘’“”]+(?=[{_CJK}])")
"""What is passed over between the characters of what somebody says, and so does not count in a word either."""
_KEYS = {"pattern", "reason", "match", "pass"}
_REASON = Bilingual("说到这些词", "says one of these words")


def rule_words(rules: Any) -> Json:
    """``plain``: the words, where the rules are nothing else, else None; ``patterns``: what stands there."""
    found = list(_patterns(rules))
    return {"plain": _plain(rules), "patterns": found}


def ruled(rules: Any, words: Sequence[str], lang: str) -> Json | None:
    """Rules that hear these words and no others; each rule keeps its words and its reason, new ones go to the last.
    None where there are none left. Only of rules whose words are plain."""
    wanted = list(dict.fromkeys(filter(None, map(folded, words))))
    known: list[tuple[Json, list[str]]] = []
    for item in _items(rules):
        own = _words(item) or []
        kept = [word for word in own if word in wanted]
        if kept:
            known.append((item if kept == own else _without_examples(item), kept))
    there = {word for _, kept in known for word in kept}
    if fresh := [word for word in wanted if word not in there]:
        item, kept = known.pop() if known else ({"reason": _REASON.localized(lang)}, [])
        known.append((_without_examples(item), [*kept, *fresh]))
    made = [item if _words(item) == kept else _with(item, kept) for item, kept in known]
    return {"explicit": made} if made else None


def folded(word: str) -> str:
    """A word as rules are written: they are searched in small letters, simplified characters and plain forms."""
    plain = unicodedata.normalize("NFKD", word).lower()
    kept = "".join(SIMPLIFIED.get(each, each) for each in plain if unicodedata.category(each)[0] not in "MC")
    return _APART.sub("", " ".join(kept.split()))


def _plain(rules: Any) -> list[str] | None:
    if rules is None:
        return []
    if not isinstance(rules, dict) or set(rules) != {"explicit"} or not isinstance(rules["explicit"], list):
        return None
    found: list[str] = []
    for item in rules["explicit"]:
        words = _words(item)
        if words is None:
            return None
        found += words
    return list(dict.fromkeys(found))


def _words(item: Any) -> list[str] | None:
    if not isinstance(item, dict) or not set(item) <= _KEYS or "pattern" not in item:
        return None
    written = item["pattern"] if isinstance(item["pattern"], list) else [item["pattern"]]
    found: list[str] = []
    for pattern in written:
        parts = _ALTERNATIVES.findall(pattern) if isinstance(pattern, str) else []
        if "|".join(parts) != pattern or not all(map(_LITERAL.fullmatch, parts)):
            return None
        found += [_ESCAPED.sub(r"\1", part) for part in parts]
    return found


def _items(rules: Any) -> list[Any]:
    return list(rules["explicit"]) if isinstance(rules, dict) else []


def _escaped(word: str) -> str:
    return _SIGN.sub(lambda found: f"\\{found[0]}", word)


def _without_examples(item: Json) -> Json:
    """What a rule should find and let pass was said of its words as they were."""
    return {key: value for key, value in item.items() if key not in ("match", "pass")}


def _with(item: Json, words: list[str]) -> Json:
    return {"pattern": list(map(_escaped, words)), **{key: each for key, each in item.items() if key != "pattern"}}


def _patterns(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "pattern":
                yield from (str(each) for each in (value if isinstance(value, list) else [value]))
            elif key not in ("match", "pass", "reason"):
                yield from _patterns(value)
    elif isinstance(data, list):
        for each in data:
            yield from _patterns(each)
