"""Keys and values within braces in one line: which of the values would need quotes, or which comma is a full-width one,
so that YAML can read them. Told only where there is one way to mean it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.events import MappingStartEvent, ScalarEvent

_BEGINS = re.compile(r"\s*(?P<key>\w[\w-]*):(?=\s|$)")
_NEXT = re.compile(r"\s*(?P<key>[A-Za-z_][\w-]*):(?=\s|$)")
_SOME_KEY = re.compile(r"[,，]\s*[\w-]+\s*[:：]")
_WIDE_COMMA = re.compile(r"[，；;、][ \t]*(?=[a-z_]+:(?:\s|$))")
_BETWEEN = re.compile(r"(?<=[}\]\"'])[ \t]*[，；;、][ \t]*(?=[{\[\"'])")
_NO_COMMA = re.compile(
    r"(?<=[^\s,{\[:])[ \t]+(?=(?:type|id|content|condition|output|value|label|get|set|define|to|var|scope): )"
)
_COLLECTION = re.compile(r"\[?\s*\{\s*[\w-]+:\s.*[\]}]\Z")
_CLOSES = {"}": "{", "]": "["}


def quoted(value: str) -> str:
    """``value`` as a YAML text in quotes. Where it stands in quotes already, and one more of them is within
    (``'Don't'``), those around it are its own."""
    if in_its_own(value):
        value = value[1:-1]
    if '"' not in value and "\\" not in value:
        return f'"{value}"'
    return "'" + value.replace("'", "''") + "'"


def in_its_own(value: str) -> bool:
    """Whether a text begins and ends with one quotation mark that stands an odd number of times in it."""
    return len(value) > 2 and value[0] in "'\"" and value[-1] == value[0] and value.count(value[0]) % 2 == 1


def with_commas(text: str) -> str | None:
    """The mapping or list with ASCII commas where full-width ones stand before keys, or between items; None where that
    does not mend it."""
    between = _BETWEEN.sub(", ", text)
    if text.startswith("["):
        made = _WIDE_COMMA.sub(", ", between)
        return next((each for each in (between, made) if each != text and _is_good(each)), _within(text, with_commas))
    made = _WIDE_COMMA.sub(", ", between)
    return made if made != text and _reads(made) else None


def with_a_comma(text: str) -> str | None:
    """The mapping with the one comma that is missing before a key."""
    if text.startswith("["):
        return _within(text, with_a_comma)
    made = [text[: found.start()] + ", " + text[found.end() :] for found in _NO_COMMA.finditer(text)]
    return made[0] if len(made) == 1 and _reads(made[0]) else None


def with_quotes(text: str) -> str | None:
    """The mapping, or the list of one, with quotes round each value that needs them, and nothing else changed. None
    where it is not certain which text belongs to which key."""
    if text.startswith("["):
        return _within(text, with_quotes)
    pieces = _pieces(text[1:-1]) if text.startswith("{") and text.endswith("}") else None
    if pieces is None:
        return None
    keys = [key for key, _ in pieces]
    done = []
    for key, written in pieces:
        new = _mended(key, written)
        if new is None:
            return None
        done.append(new)
    made = "{" + ",".join(done) + "}"
    return made if made != text and len(set(keys)) == len(keys) and _keys(made) == keys else None


def _within(text: str, mend: Callable[[str], str | None]) -> str | None:
    """A list of one mapping with that mended."""
    inner = text[1:-1].strip()
    made = mend(inner) if inner.startswith("{") and inner.endswith("}") else None
    return text.replace(inner, made, 1) if made is not None else None


def _mended(key: str, written: str) -> str | None:
    """One key with its value as it stands, or with the value in quotes."""
    if _keys("{" + written + "}") == [key]:
        return written
    match = _BEGINS.match(written)
    value = written[match.end() :].strip() if match else ""
    if match is None or not value:
        return None
    collects = _COLLECTION.match(value)
    if not collects and _SOME_KEY.search(value):
        return None
    new = with_quotes(value) if collects else quoted(value)
    return written[: match.end()] + written[match.end() :].replace(value, new, 1) if new is not None else None


def _pieces(inner: str) -> list[tuple[str, str]] | None:
    """Keys, each with the text from it up to the comma before the next. A comma that no key follows is text."""
    starts = [0]
    for at in _commas(inner):
        if _NEXT.match(inner, at + 1):
            starts.append(at + 1)
    ends = [*(start - 1 for start in starts[1:]), len(inner)]
    pieces = [inner[start:end] for start, end in zip(starts, ends, strict=True)]
    found = [(match["key"], piece) for piece in pieces if (match := _BEGINS.match(piece))]
    return found if len(found) == len(pieces) else None


def _commas(inner: str) -> Iterator[int]:
    """Where commas stand outside of brackets and of values in quotes."""
    opened: list[str] = []
    quote, fresh = "", False
    for at, sign in enumerate(inner):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and fresh:
            quote = sign
        elif sign in "{[":
            opened.append(sign)
        elif sign in _CLOSES and opened and opened[-1] == _CLOSES[sign]:
            opened.pop()
        elif sign == "," and not opened:
            yield at
        fresh = (fresh and sign.isspace()) or sign in ":[{,"


def _is_good(text: str) -> bool:
    """Whether it is good YAML as it stands, with no key that lacks its value."""
    parser = CParser(text)
    before = None
    try:
        while parser.check_event():
            event = parser.get_event()
            if isinstance(event, ScalarEvent) and not event.value and not event.style and before is not None:
                return False
            before = event
    except YAMLError:
        return False
    finally:
        parser.dispose()
    return True


def _reads(text: str) -> bool:
    return _keys(text) is not None


def _keys(text: str) -> list[str] | None:
    """The keys of a mapping in braces as YAML reads it; None where it cannot, or where a key has no value."""
    parser = CParser(text)
    keys: list[str] = []
    depth, value_next, empty = 0, False, False
    try:
        while parser.check_event():
            event = parser.get_event()
            name = type(event).__name__
            if name in ("MappingEndEvent", "SequenceEndEvent"):
                depth -= 1
            elif depth == 1 and not value_next:
                if not isinstance(event, ScalarEvent):
                    return None
                keys.append(event.value)
                value_next = True
                continue
            elif depth == 1:
                empty |= isinstance(event, ScalarEvent) and not event.value and not event.style
            if isinstance(event, MappingStartEvent) or name == "SequenceStartEvent":
                depth += 1
            if depth == 1:
                value_next = False
    except YAMLError:
        return None
    finally:
        parser.dispose()
    return None if empty else keys
