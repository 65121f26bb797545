"""Mistakes that YAML punishes with a message nobody understands: recognised in the line, told, and mended.

A mend keeps the number of lines, so that everything after it is still found at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.error import MarkedYAMLError

from heartrule.language.findings import clip
from heartrule.language.yaml.flow_mappings import in_its_own, quoted, with_a_comma, with_commas, with_quotes

# "  - key: " and what follows it; a key is a word without quotes, brackets or a colon of its own.
_LEAD = r"(?P<lead>\s*(?:- +)*)"
_ENTRY = re.compile(_LEAD + r"(?P<key>[^\s#:：'\"{}\[\],&*!|>%@`-][^:：#\"'{}\[\]]*?)\s*:[ \t]+(?P<value>\S.*)\Z")
_ITEM = re.compile(r"(?P<lead>\s*(?:- +)+)(?P<key>)(?P<value>\S.*)\Z")
_WIDE = re.compile(_LEAD + r"(?P<key>[A-Za-z_][A-Za-z0-9_]*)：\s*(?P<value>.*)\Z")
_TIGHT = re.compile(_LEAD + r"(?P<key>[a-z_]+):(?P<value>[^\s:/].*)\Z")
_BLOCK = re.compile(r"[|>][+-]?[1-9]?[+-]?\s*\Z")
_SIGN = re.compile(r"([{\[].*:\s+)([^{}\[\],\"'#]+ #[^\s{}\[\],\"'][^{}\[\]\"']*)([}\]]+)(\s+# .*)?")
_COMMENT = re.compile(r"\s+#.*\Z")
# "{key: …}" and "[{key: …}]", as against "{name} and more".
_COLLECTION = re.compile(r"\[?\s*\{\s*[\w-]+:\s.*[\]}]\Z")
_KEY = re.compile(_LEAD + r"[\w-]+:\s*\Z")
_COLLECTS = re.compile(r"\{\s*[\w-]+:\s")
_INDICATORS = "{[\"'@`%*&!|>"
_ANCHOR = re.compile(r"(?:^|(?<=[\s\[,]))&([^\s\[\]{},&*]+)(?=[\s\],}]|$)", re.MULTILINE)
_TABBED = re.compile(r"[ ]*\t[ \t]*(?=\S)")
# Input methods write these where a space or a dash was meant: before a key, so that a text in a block stays as it is.
_KEY_AHEAD = r"(?=(?:- +)?(?:\{\s*)?[a-z_]+[:：])"
_WIDE_SPACED = re.compile(r"[ \u3000\u00a0]*[\u3000\u00a0][ \u3000\u00a0]*" + _KEY_AHEAD)
_WIDE_DASH = re.compile(r"(?P<lead>\s*)[－—–‐−][ \u3000]*" + _KEY_AHEAD)
_TIGHT_DASH = re.compile(r"(?P<lead>\s*)-(?P<rest>[a-z_]+:(?:\s.*)?)\Z")
_OTHER_QUOTES = "'\"”’＂＇"
_ABOVE = 3
_FAR = 1_000
_OPENED = 12
"""How many lines above the place where a file cannot be read on a quotation mark may have been left open,
and how many marks are looked at."""
_WIDTHS = (2, 4, 8, 1)
"""How many spaces a tab may have stood for."""


@dataclass(frozen=True, slots=True)
class Trap:
    """What was recognised: the code, the lines (1-based) it is in, where, and the file with these lines mended.
    ``certain``: whether it was meant so; else the mended lines are for reading on only. ``safe``:
    whether nothing else could be meant."""

    code: str
    at: list[int]
    column: int
    lines: list[str]
    values: dict[str, object] = field(default_factory=dict)
    certain: bool = True
    safe: bool = True


def mend(lines: list[str], error: MarkedYAMLError) -> Trap | None:
    """The trap that ``error`` comes from, if it is one of those we know."""
    if error.problem_mark is not None and _tabbed(lines, error.problem_mark.line):
        return _tabs(lines)
    named = _anchors(lines) if "alphabetic" in str(error.problem) else None
    if named is not None:
        return named
    for number in _suspects(lines, error):
        for recognise in (
            _wide_spaces,
            _wide_dash,
            _tight_dash,
            _wide_colon,
            _never_closed,
            _quotes_needed,
            _colon_inside,
            _tight_colon,
        ):
            trap = recognise(lines, number)
            if trap is not None:
                return trap
    return _open_above(lines, error)


def _open_above(lines: list[str], error: MarkedYAMLError) -> Trap | None:
    """A text whose quotation mark is closed nowhere in its line: YAML reads on to the next mark, however far."""
    last = min(error.problem_mark.line if error.problem_mark else 0, len(lines) - 1)
    looked = 0
    for number in range(last, max(-1, last - _FAR), -1):
        match = _ENTRY.match(lines[number].rstrip()) or _ITEM.match(lines[number].rstrip())
        value = match["value"] if match else ""
        if len(value) > 1 and value[0] in "\"'" and value.count(value[0]) == 1:
            trap = _never_closed(lines, number)
            looked += trap is not None
            if looked > _OPENED:
                return None
            if trap is not None and (value[-1] in _OTHER_QUOTES or reads_on(trap.lines, last)):
                return trap
    return None


def reads_on(lines: list[str], number: int, further: int = 0) -> bool:
    """Whether the file can be read beyond a line, and so many lines further."""
    parser = CParser("\n".join(lines))
    try:
        while parser.check_event():
            parser.get_event()
    except MarkedYAMLError as error:
        return error.problem_mark is not None and error.problem_mark.line > number + further
    except YAMLError:
        return False
    finally:
        parser.dispose()
    return True


def _suspects(lines: list[str], error: MarkedYAMLError) -> Iterator[int]:
    """The lines where the cause may be: where the parser gave up, and what it had begun there, nearest first."""
    mark, context = error.problem_mark, error.context_mark
    last = mark.line if mark else 0
    yield from range(min(last, len(lines) - 1), max(-1, last - _ABOVE), -1)
    if context is not None and context.line < len(lines):
        yield context.line


def _tabbed(lines: list[str], number: int) -> bool:
    return number < len(lines) and _TABBED.match(lines[number]) is not None


def _tabs(lines: list[str]) -> Trap | None:
    hit = [number for number in range(len(lines)) if _tabbed(lines, number)]
    if not hit:
        return None
    column = lines[hit[0]].index("\t") + 1
    mended = list(lines)
    for number in hit:
        mended[number] = _untabbed(mended, number)
    return Trap("E006", [hit[0] + 1], column, mended)


def _untabbed(lines: list[str], number: int) -> str:
    """A line with spaces for its tabs: as many as put it in line with its neighbours, else two for each."""
    line = lines[number]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    widths = [len(indent.replace("\t", " " * width)) for width in _WIDTHS]
    column = _in_line(lines, number, _TABBED, widths)
    return " " * (widths[0] if column is None else column) + line[len(indent) :]


def _in_line(lines: list[str], number: int, odd: re.Pattern[str], columns: list[int]) -> int | None:
    """Which of some columns a neighbour begins at that is not ``odd`` as well; the nearest first."""
    before = [near for near in reversed(lines[max(0, number - _ABOVE) : number]) if near.strip()]
    after = [near for near in lines[number + 1 : number + 1 + _ABOVE] if near.strip()]
    nearest = [near for pair in zip_longest(before, after) for near in pair if near and not odd.match(near)]
    begun = [len(near) - len(near.lstrip(signs)) for near in nearest for signs in (" -", " ")]
    return next((column for column in begun if column in columns), None)


def _wide_spaces(lines: list[str], number: int) -> Trap | None:
    """Lines one after another that are indented by full-width or no-break spaces before a key, put in line with their
    neighbours."""
    if not _WIDE_SPACED.match(lines[number]):
        return None
    first = last = number
    while first and _WIDE_SPACED.match(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _WIDE_SPACED.match(lines[last + 1]):
        last += 1
    mended, certain = list(lines), True
    for each in range(first, last + 1):
        match = _WIDE_SPACED.match(lines[each])
        indent = match[0] if match else ""
        widths = [len(indent.replace("\u3000", " " * width)) for width in (2, 1, 4)]
        column = _in_line(mended, each, _WIDE_SPACED, widths)
        certain &= column is not None
        mended[each] = " " * (widths[0] if column is None else column) + lines[each][len(indent) :]
    return Trap("E030", [first + 1], 1, mended, {}, certain)


def _wide_dash(lines: list[str], number: int) -> Trap | None:
    match = _WIDE_DASH.match(lines[number])
    if match is None:
        return None
    fixed = f"{match['lead']}- {lines[number][match.end() :]}"
    return _trap("E031", lines, number, match.end("lead"), fixed, mended=clip(fixed.strip(), 60))


def _tight_dash(lines: list[str], number: int) -> Trap | None:
    match = _TIGHT_DASH.match(lines[number].rstrip("\r"))
    if match is None:
        return None
    fixed = f"{match['lead']}- {match['rest']}"
    return _trap("E037", lines, number, match.end("lead"), fixed, mended=clip(fixed.strip(), 60))


def _anchors(lines: list[str]) -> Trap | None:
    """``&是`` and ``*是``: good YAML, but the parser wants ASCII letters, digits, ``-`` and ``_`` there."""
    text = "\n".join(lines)
    names = [name for name in dict.fromkeys(_ANCHOR.findall(text)) if not name.isascii()]
    if not names:
        return None
    first = next(match for match in _ANCHOR.finditer(text) if match[1] == names[0]).start()
    line, column = text.count("\n", 0, first) + 1, first - text.rfind("\n", 0, first)
    for number, name in enumerate(names):
        used = rf"(^|(?<=[\s\[,]))([&*]){re.escape(name)}(?=[\s\],}}]|$)"
        text = re.sub(used, rf"\g<2>anchor{number}", text, flags=re.MULTILINE)
    return Trap("E025", [line], column, text.split("\n"), {"name": clip(names[0])})


def _wide_colon(lines: list[str], number: int) -> Trap | None:
    match = _WIDE.match(lines[number])
    if match is None:
        return None
    value = match["value"]
    fixed = f"{match['lead']}{match['key']}:" + (f" {value}" if value else "")
    return _trap("E022", lines, number, match.end("key"), fixed, key=match["key"], mended=clip(fixed.strip(), 60))


def _tight_colon(lines: list[str], number: int) -> Trap | None:
    match = _TIGHT.match(lines[number])
    if match is None:
        return None
    fixed = f"{match['lead']}{match['key']}: {match['value']}"
    return _trap("E024", lines, number, match.end("key"), fixed, key=match["key"], mended=clip(fixed.strip(), 60))


def _never_closed(lines: list[str], number: int) -> Trap | None:
    """A quotation mark or bracket that is opened in a line and closed nowhere in it."""
    line = lines[number].rstrip("\r")
    match = _ENTRY.match(line) or _ITEM.match(line)
    if match is not None and (told := _with_sign(match["value"])) is not None:
        fixed = line[: match.start("value")] + told
        return _trap("E034", lines, number, match.start("value"), fixed, mended=clip(told, 60))
    value = _COMMENT.sub("", match["value"]).rstrip() if match else ""
    closed = _closed(value) if value else None
    if match is None or closed is None or _stands(value) or _goes_on(value, lines[number + 1 :]):
        return None
    fixed = line[: match.start("value")] + closed + lines[number][match.start("value") + len(value) :]
    return _trap("E028", lines, number, match.start("value"), fixed, value=clip(value), mended=clip(closed, 60))


def _with_sign(value: str) -> str | None:
    """``{…, content: 你是 #1 的}`` with the text in quotes: a sign behind a space began a comment, bracket and all."""
    found = _SIGN.fullmatch(value.rstrip())
    fixed = f"{found[1]}{quoted(found[2])}{found[3]}{found[4] or ''}" if found else ""
    return fixed if found and _stands(fixed) else None


def _goes_on(value: str, below: list[str]) -> bool:
    """Whether a value may be meant to end in a later line."""
    following = next((line for line in below if line.strip()), "")
    begins = not following or _ENTRY.match(following) or _ITEM.match(following) or following.lstrip().startswith("#")
    return value[-1] in ",[{:" or not (begins or _KEY.match(following))


def _closed(value: str) -> str | None:
    """The value with what is missing at its end, where that makes good YAML of it."""
    tries = []
    for sign in "\"'":
        if value.count(sign) % 2 and value[0] in ("{", "[", sign):
            tries += [value[:-1] + sign + value[-1]] if value[-1] in "}]" and value[0] != sign else []
            tries += [value[:-1] + sign] if value[-1] in _OTHER_QUOTES and value[0] == sign else []
            tries.append(value + sign)
    for opening, closing in ("[]", "{}"):
        collects = opening == "[" or _COLLECTS.match(value)
        if value[0] == opening and collects and value.count(opening) == value.count(closing) + 1:
            tries.append(value + closing)
    return next((each for each in tries if _stands(each)), None)


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def _quotes_needed(lines: list[str], number: int) -> Trap | None:
    """A value that begins with a character which means something to YAML, and goes on as a text. One in quotes has
    them: there something within is wrong."""
    return _quote(
        lines,
        number,
        "E020",
        lambda value: value[0] in _INDICATORS and not _BLOCK.match(value) and not _QUOTED.fullmatch(value),
    )


def _colon_inside(lines: list[str], number: int) -> Trap | None:
    """``say: 问题: 你好吗``."""
    return _quote(
        lines, number, "E021", lambda value: value[0] not in _INDICATORS and bool(re.search(r":(\s|$)", value))
    )


def _quote(lines: list[str], number: int, code: str, trapped: Callable[[str], bool]) -> Trap | None:
    line = lines[number].rstrip("\r")
    match = _ENTRY.match(line) or (_ITEM.match(line) if code == "E020" else None)
    if match is None:
        return None
    value = _COMMENT.sub("", match["value"]).rstrip()
    if not value or not trapped(value) or _stands(value):
        return None
    behind = lines[number][match.start("value") + len(value) :]
    start = match.start("value")
    if _COLLECTION.match(value):
        return _in_braces(lines, number, start, value)
    # What begins and ends in one mark may be a text in quotes that holds some, or two quoted words.
    safe = value[0] not in "'\"" or value[-1] != value[0] or in_its_own(value)
    fixed = line[:start] + quoted(value) + behind
    shown = f"{match['key']}: {quoted(value)}" if match["key"] else f"- {quoted(value)}"
    trap = _trap(code, lines, number, match.start("value"), fixed, value=clip(value), mended=clip(shown, 60))
    return trap if safe or trap is None else replace(trap, safe=False)


def _in_braces(lines: list[str], number: int, start: int, value: str) -> Trap:
    """A comma that is a full-width one, else a value that needs quotes: only that changes."""
    before, behind = lines[number][:start], lines[number][start + len(value) :]

    def trap(code: str, new: str, *, certain: bool = True, **values: object) -> Trap:
        mended = [*lines[:number], before + new + behind, *lines[number + 1 :]]
        return Trap(code, [number + 1], start + 1, mended, values, certain)

    if (new := with_commas(value)) is not None:
        return trap("E029", new, mended=clip(new, 60))
    if (new := with_a_comma(value)) is not None:
        return trap("E036", new, mended=clip(new, 60))
    new = with_quotes(value)
    return trap("E027", new or quoted(value), certain=new is not None, value=clip(value))


def _trap(code: str, lines: list[str], number: int, column: int, fixed: str, **values: object) -> Trap | None:
    if fixed == lines[number]:
        return None
    return Trap(code, [number + 1], column + 1, [*lines[:number], fixed, *lines[number + 1 :]], values)


def _stands(value: str) -> bool:
    """Whether the value alone is good YAML; then the mistake is elsewhere."""
    parser = CParser(value)
    try:
        while parser.check_event():
            parser.get_event()
    except YAMLError:
        return False
    finally:
        parser.dispose()
    return not re.match(r"[^\s{\[\"'].*:(\s|$)", value)


def misread(value: object, style: str, *, text: bool) -> tuple[str, dict[str, object]] | None:
    """The code (and what its message needs) for a value that YAML read as something other than what was meant:
    braces round a name that became a mapping, brackets that became a list, a line whose colon is no colon to YAML."""
    if text and style == "{" and isinstance(value, dict) and all(part is None for part in value.values()):
        written = "{" + ", ".join(str(key) for key in value) + "}"
        return "E023", {"text": clip(written), "mended": f'"{clip(written)}"'}
    if text and style == "[" and isinstance(value, list) and all(isinstance(part, str) for part in value):
        written = "[" + ", ".join(value) + "]"
        return "E020", {"value": clip(written), "mended": f'"{clip(written)}"'}
    if not text and isinstance(value, str):
        for pattern, code in ((_WIDE, "E022"), (_TIGHT, "E024")):
            match = pattern.match(value)
            if match:
                return code, {"key": match["key"], "mended": clip(f"{match['key']}: {match['value']}", 60)}
    return None
