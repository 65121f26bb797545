"""What a person's words mean when no model can answer: a variable's own rules, then a reader for its type.

None means "not understood" and is always safe; a value means that the words hardly allow another reading. Rules and
readers understand Chinese and English whatever the locale.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from heartrule.language.nodes import Pattern, VariableRules
from heartrule.language.patterns import compiled, storable
from heartrule.language.values.types import MAX_ITEMS, MAX_TEXT, option_pair
from heartrule.parsing.choices import exact_option, match_choice, only_choice, read_option
from heartrule.parsing.dates import read_date
from heartrule.parsing.echoes import is_yes_by_echo
from heartrule.parsing.murmurs import allows_none
from heartrule.parsing.numbers import emphatic, only_number, read_asked, read_number
from heartrule.parsing.repairs import Repair, repair
from heartrule.parsing.self_corrections import amended, withdrawn
from heartrule.parsing.self_corrections import several as _several
from heartrule.parsing.text import MAX_READ, Clause, clauses, fold, half_width, meant, normalise, spans
from heartrule.parsing.yes_no import read_yes_no

__all__ = [
    "ReadValue",
    "Repair",
    "fold",
    "match_choice",
    "normalise",
    "only_choice",
    "read",
    "read_by_rules",
    "repair",
    "several",
]

_MAX_MATCHES = 20


@dataclass(frozen=True, slots=True)
class ReadValue:
    """``value`` is for ``values.accept`` to check still; ``evidence`` is the words that say it."""

    value: Any
    evidence: str


def parse_value(
    rules: VariableRules, text: str, locale: str = "zh-CN", now: datetime | None = None, question: str = ""
) -> ReadValue | None:
    """What ``text``, the answer to the question about this variable, says. ``now`` is the person's local time.
    ``question``: how it was put, where that is known.

    A text variable takes any reply that is no repair phrase, whole. An object can only be read by rules.
    """
    text = text[: MAX_TEXT + 1]
    if rules.options and rules.type != "list":  # a label may well be 跳过 or 不知道
        named = exact_option(text, [option_pair(each) for each in rules.options])
        if named is not None:
            return _made(named, text)
    if repair(text, locale) is not None:
        return None
    reads = partial(_plainly, rules, now=now, question=question)
    put: ReadValue | None = amended(rules, text, reads)
    return put if put is not None or withdrawn(rules, text, reads) else reads(text)


def several(rules: VariableRules, text: str, now: datetime | None = None, question: str = "") -> list[Any]:
    """The values that ``text`` says one beside the other (有，也没有), where there is more than one."""
    found = _several(rules, text, partial(_plainly, rules, now=now, question=question))
    return found if len(found) > 1 else []


def _plainly(rules: VariableRules, text: str, now: datetime | None, question: str) -> ReadValue | None:
    """What the words say as they stand, whatever they take back."""
    plain = normalise(text[:MAX_READ])
    return _by_rules(rules, text, plain, now) or _by_type(rules, text, plain, now, question)


def read_by_rules(
    rules: VariableRules, text: str, locale: str = "zh-CN", now: datetime | None = None
) -> ReadValue | None:
    """What the variable's own rules find in ``text``, which was the answer to a question about something else."""
    text = text[: MAX_TEXT + 1]
    return None if repair(text, locale) is not None else _by_rules(rules, text, normalise(text[:MAX_READ]), now)


def _by_type(rules: VariableRules, text: str, plain: str, now: datetime | None, question: str) -> ReadValue | None:
    if len(text) > MAX_READ and rules.type not in (None, "text", "list"):
        return None
    if rules.options and rules.type != "list":
        return _option(rules, text, plain, question)
    match rules.type:
        case "integer" | "number":
            highest, about = _highest(rules), f"{question}\n{rules.define}"
            return _made(read_number(plain, highest, about) or read_asked(plain, about, highest), text)
        case "boolean":
            answer = _yes_no(rules, plain, question)
            return None if answer is None else _made((answer, plain), text)
        case "date":
            return _made(read_date(plain, now, f"{rules.define}\n{question}"), text)
        case "list":
            return _list(rules, text, plain, question)
        case "object":
            return None
        case _:
            return _text(text, plain)


def _yes_no(rules: VariableRules, plain: str, question: str) -> bool | None:
    """A plain yes or no; of danger also a yes in the question's own word: not hearing it is worse."""
    answer = read_yes_no(plain)
    return True if answer is None and rules.risk and is_yes_by_echo(plain, question) else answer


def _made(found: tuple[Any, str] | None, text: str) -> ReadValue | None:
    """With the words as the person wrote them for evidence, whole where the piece was only found in normal form."""
    if found is None:
        return None
    value, words = found
    return ReadValue(value, words if words in text else storable(text).strip())


def _highest(rules: VariableRules) -> float | None:
    return rules.range[1] if rules.range else None


def _text(text: str, plain: str) -> ReadValue | None:
    said = storable(text[:MAX_TEXT]).strip()
    if not said or not any(character.isalnum() or character > "\u2190" for character in plain.replace("…", "")):
        return None
    return ReadValue(said, said)


def _option(rules: VariableRules, text: str, plain: str, question: str) -> ReadValue | None:
    pairs = [option_pair(each) for each in rules.options or []]
    found = read_option(plain, pairs, f"{question}\n{rules.define}")
    if found is not None:
        return _made(found, text)
    number = (
        read_number(plain, None, f"{question}\n{rules.define}")
        if pairs and all(type(value) in (int, float) for value, _ in pairs)
        else None
    )
    return _made(number, text) if number is not None and number[0] in [value for value, _ in pairs] else None


_PARTS = re.compile(
    r"[、,;\n]|还有|以及|\band\b"
    "|(?<!温)(?<!暖)(?<!平)(?<!柔)(?<!缓)(?<!饱)(?<!随)(?<!总)(?<!共)和(?!平|谐|睦|气|好|解|善|蔼)"
)
_LIST_LEAD = re.compile(
    "^(?:嗯|那个|我觉得|我?(?:还|也)?有(?:一?[个位只])?|家里(?:还)?有|主要是|主要有|大概有|就是|就(?!业|医|诊|学|餐|职|寝|近|算)|比如|例如|包括|还有|以及|另外|是)+(?=.)"
)
_LIST_TAIL = re.compile("(?<=[^\\W_])(?:吧|啊|呀|呢|哦|之类的?|什么的|等等?|这些)+$")
_NUMBERED = re.compile(r"(?:^|(?<=[\s,;、。.]))[(]?[0-9]{1,2}[.、)](?![0-9]) ?|[①-⑳]|[(][0-9]{1,2}[)] ?")
_NOBODY = ("我", "我们", "就", "i")
_LONGEST_ITEM = 200


_LONGEST_NAME = 20
"""Characters of a bare name that becomes an item of a list of objects. A story is no name."""


_ASKS_NAMES = re.compile(r"哪些|谁|什么人|哪几|名单|\b(?:who|which|names?)\b")
"""What lies between commas is another item, and not another field of the same (妈妈，老师), where this is asked."""


def _is_name(item: str) -> bool:
    return len(item) <= _LONGEST_NAME and not any(each.isdigit() for each in item) and only_number(item) is None


def _naming_field(rules: VariableRules) -> str | None:
    """The field that a bare name goes into: the ``key`` of a list of objects, else its only text."""
    fields = rules.fields or []
    texts = [each.name for each in fields if each.type == "text" and not each.options]
    if rules.key is not None and any(each.name == rules.key for each in fields):
        return rules.key if rules.key in texts else None
    return texts[0] if len(texts) == 1 else None


def _as_items(rules: VariableRules, found: ReadValue | None) -> ReadValue | None:
    """What a rule has found for a list, as its items: a bare name goes into the field that names an object."""
    if found is None or rules.type != "list" or not rules.fields:
        return found
    field, values = _naming_field(rules), found.value if isinstance(found.value, list) else [found.value]
    if field is None or any(isinstance(each, dict) for each in values):
        return found
    return ReadValue([{field: str(each)} for each in values], found.evidence)


def _list(rules: VariableRules, text: str, plain: str, question: str) -> ReadValue | None:
    """The parts of an enumeration; of a list of objects the names of its items. A no is an empty list where the
    question allows for none, and else, like a yes, no list."""
    field = _naming_field(rules)
    if not plain or (rules.fields and field is None):
        return None
    answer = read_yes_no(plain)
    if answer is not None:
        return _made(([], plain), text) if answer is False and allows_none(question) else None
    items = [part.strip(" .。!") for part in _PARTS.split(_NUMBERED.sub("\n", plain), MAX_ITEMS)]
    items = [_LIST_TAIL.sub("", _LIST_LEAD.sub("", item)).strip() for item in items]
    items = list(dict.fromkeys(item for item in items if item and item not in _NOBODY))
    if not items or any(len(item) > _LONGEST_ITEM for item in items):
        return None
    if field is not None:
        named = [{field: item} for item in items if _is_name(item)]
        apart = "," not in plain or len(rules.fields or []) == 1 or _ASKS_NAMES.search(question.casefold())
        return _made((named, plain), text) if apart and len(named) == len(items) else None
    if not rules.options:
        return _made((items, plain), text)
    pairs = [option_pair(each) for each in rules.options]
    chosen = [read_option(item, pairs, f"{question}\n{rules.define}") for item in items]
    values = [found[0] for found in chosen if found is not None]
    return _made((values, plain), text) if values and len(values) == len(items) else None


# a variable's own rules


def _by_rules(rules: VariableRules, text: str, plain: str, now: datetime | None) -> ReadValue | None:
    for rule in rules.rules or []:
        found = _by_pattern(rule, rules, text, plain, now) or _by_keywords(rule, rules.type, plain)
        if found is not None:
            return _as_items(rules, found)
    return None


def _by_pattern(rule: Pattern, rules: VariableRules, text: str, plain: str, now: datetime | None) -> ReadValue | None:
    """All matches that are meant must agree; for text the first counts. The pattern sees the words as they came,
    then normalised."""
    pattern = compiled(rule.pattern) if rule.pattern else None
    if pattern is None:
        return None
    if rule.beside is not None:
        found = _by_clauses(rule, pattern, plain)
        return found or _by_clauses(rule, pattern, normalise(_CHINESE_BLANK.sub("，", text[:MAX_READ])))
    for words in (storable(text[:MAX_READ]), plain):
        matches = [_captured(rule, match, rules, now) for match in _meant_matches(pattern, words)]
        if matches:
            first = matches[0]
            agreed = rules.type in (None, "text") or all(
                each and first and each.value == first.value for each in matches
            )
            return first if agreed else None
    return None


def _by_clauses(rule: Pattern, pattern: Any, plain: str) -> ReadValue | None:
    """Every clause is one of the rule's, whole, and at least one is what the pattern says, neither asked nor trailing
    off. A message that begins with a silence is not read."""
    beside = compiled(rule.beside or "")
    if beside is None or rule.value is None or plain.startswith("…") or not plain:
        return None
    said: list[str] = []
    for clause in clauses(plain.casefold()):
        words = clause.text.strip(" '\"~-")
        if pattern.fullmatch(words) and "?" not in clause.end and "…" not in clause.end:
            said.append(clause.text)
        elif words and not beside.fullmatch(words):
            return None
    return ReadValue(rule.value, said[0].strip()) if said else None


_CHINESE_BLANK = re.compile(r"(?<=[一-鿿])[ \u3000]+(?=[一-鿿])")
"""Where many type a blank for a comma."""


def _meant_matches(pattern: Any, words: str) -> list[Any]:
    found: list[Any] = []
    lowered = words.casefold()
    parts = list(clauses(half_width(lowered if len(lowered) == len(words) else words)))
    for match in pattern.finditer(words):
        start, end = match.span()
        if start == end or emphatic(words, start):
            continue
        clause = next((part for part in parts if part.start <= start < part.start + len(part.text)), None)
        if clause is None or meant(clause, start - clause.start, min(end - clause.start, len(clause.text))):
            found.append(match)
        if len(found) >= _MAX_MATCHES:
            break
    return found


def _captured(rule: Pattern, match: Any, rules: VariableRules, now: datetime | None) -> ReadValue | None:
    if rule.value is not None:
        return ReadValue(rule.value, match.group())
    groups = match.groupdict()
    said = groups.get("value") if "value" in groups else match.group(1) if match.groups() else match.group()
    if not said:
        return None
    readers: dict[str | None, Callable[[], tuple[Any, str] | None]] = {
        "integer": lambda: read_number(said, _highest(rules)),
        "number": lambda: read_number(said, _highest(rules)),
        "date": lambda: read_date(said, now, f"{rules.define}\n{match.string}"),
    }
    if rules.type in readers:
        found = readers[rules.type]()
        return None if found is None else ReadValue(found[0], match.group())
    if rules.type == "boolean":
        answer = read_yes_no(said)
        return None if answer is None else ReadValue(answer, match.group())
    return ReadValue(said, match.group())


def _by_keywords(rule: Pattern, kind: str | None, plain: str) -> ReadValue | None:
    """The one value whose words are said and meant; a longer word covers a shorter one inside it."""
    if not rule.keywords:
        return None
    words = [(normalise(word).casefold(), value) for value, several in rule.keywords.items() for word in several]
    words.sort(key=lambda each: -len(each[0]))
    found: dict[str | int, str] = {}
    for clause in clauses(plain.casefold()):
        _keywords_in(clause, words, found)
    if kind == "list" and len(found) > 1:
        return ReadValue(list(found), next(iter(found.values())))
    if len(found) != 1:
        return None
    value, word = next(iter(found.items()))
    return ReadValue(_truth(value) if kind == "boolean" else value, word)


def _truth(key: str | int) -> Any:
    """YAML and people write the key of a boolean's words as true, 1 or 是."""
    answer = bool(key) if key in (0, 1) else read_yes_no(str(key))
    return key if answer is None else answer


def _keywords_in(clause: Clause, words: list[tuple[str, str | int]], found: dict[str | int, str]) -> None:
    covered: list[tuple[int, int]] = []
    for word, value in words:
        for start, end in spans(clause.text, word):
            if any(a <= start and end <= b and (a, b) != (start, end) for a, b in covered):
                continue
            covered.append((start, end))
            if meant(clause, start, end):
                found.setdefault(value, word)
