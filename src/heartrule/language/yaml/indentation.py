"""A line that stands a little too far left or right, and one whose colon was forgotten: found by trying in which column
the file can be read on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from yaml.error import MarkedYAMLError

from heartrule.language.findings import clip
from heartrule.language.yaml.traps import Trap, reads_on

_TRIES = 24
_MOST = 300_000
"""Characters that are read for one line at most: the larger a file, the fewer columns are tried."""
_NEIGHBOURS = 12
_FURTHER = 4
"""How many lines further a file must be read for a guess to be one."""
_BEGINS = re.compile(r"(?P<indent> *)(?P<dashes>(?:- +)*)(?P<key>[^\s#:'\"{}\[\],&*!|>%@`-][^:#\"'{}\[\]]*?)?:(?:\s|$)")
_ITEM = re.compile(r"(?P<indent> *)- +\S")
_PLAIN_ITEM = re.compile(r"(?P<indent> *)- +[^\s\[{\"']")
_TEXT = re.compile(r"(?P<indent> *)[^\s#:'\"{}\[\],&*!|>%@`-]")
_NO_COLON = re.compile(r"(?P<lead> *(?:- +)*)(?P<key>[a-z_]+)(?P<gap> +)(?:[=＝]+ *)?(?P<value>[^\s#].*)")
_KEYS = frozenset({
    "type", "id", "content", "question", "output", "condition", "goal", "topic", "phase", "session", "skill",
    "var", "define", "scope", "value", "label", "to", "form", "fallback", "timeout", "on_timeout",
    "max_rounds", "min_rounds", "locale", "duration", "awareness", "priority", "directive", "text",
    "technique", "judge", "name",
})  # fmt: skip


def misplaced(lines: list[str], error: MarkedYAMLError) -> Trap | None:
    """E032 with the line in the nearest column in which the file can be read on; E033 where a colon is missing."""
    mark = error.problem_mark
    most = min(_TRIES, _MOST // (sum(map(len, lines)) + 1))
    if mark is None or not most:
        return None
    here = lines[mark.line] if mark.line < len(lines) else ""
    if here.strip() and not any(sign.match(here) for sign in (_BEGINS, _ITEM, _TEXT)):
        return None
    if _under_a_text(lines, mark.line):
        return None
    if (trap := _dash_missing(lines, error)) is not None:
        return trap
    tries = 0
    for number in (mark.line, mark.line - 1, mark.line + 1):
        if not 0 <= number < len(lines) or not lines[number].strip():
            continue
        for trap in _guesses(lines, number):
            tries += 1
            if tries > most:
                return None
            if reads_on(trap.lines, max(mark.line, number), _FURTHER):
                return trap
    return None


def _dash_missing(lines: list[str], error: MarkedYAMLError) -> Trap | None:
    """The first item of a list without its dash: the next one's stands two columns left of its keys."""
    mark = error.problem_mark
    item = _ITEM.match(lines[mark.line]) if mark is not None and mark.line < len(lines) else None
    if mark is None or item is None:
        return None
    indent, number = item["indent"], mark.line
    while number and (not lines[number - 1].strip() or lines[number - 1].startswith(f"{indent}  ")):
        number -= 1
    number += next((skip for skip, line in enumerate(lines[number:]) if line.strip()), 0)
    first, above = lines[number], "".join(lines[number - 1 : number]).rstrip()
    if number == mark.line or not above.endswith(":") or not _BEGINS.match(first[len(indent) + 2 :]):
        return None
    fixed = f"{indent}- {first[len(indent) + 2 :]}"
    mended = _with(lines, number, fixed)
    if first[len(indent) + 2] in " -" or not reads_on(mended, mark.line):
        return None
    return Trap("E038", [number + 1], len(indent) + 1, mended, {"mended": clip(fixed.strip(), 60)})


def _under_a_text(lines: list[str], number: int) -> bool:
    """Whether a line stands under an item that is a text (``- say``), which has no keys."""
    above = next((line for line in reversed(lines[:number]) if line.strip()), "")
    item, here = _PLAIN_ITEM.match(above), lines[number] if number < len(lines) else ""
    return item is not None and _BEGINS.match(above) is None and not here.startswith(" " * len(item["indent"]) + "- ")


def _guesses(lines: list[str], number: int) -> Iterator[Trap]:
    line = lines[number]
    bare = _NO_COLON.match(line)
    if bare is not None and bare["key"] in _KEYS:
        fixed = f"{bare['lead']}{bare['key']}: {bare['value']}"
        values = {"key": bare["key"], "mended": clip(fixed.strip(), 60)}
        yield Trap("E033", [number + 1], bare.end("key") + 1, _with(lines, number, fixed), values)
    begun = _BEGINS.match(line) or _ITEM.match(line)
    if begun is None:
        yield from _continued(lines, number)
        return
    indent = len(begun["indent"])
    above = _columns(lines[:number], number, 1)
    own = _as_those_below(lines, number)
    columns = (_columns(lines, number, _NEIGHBOURS) | own) - {indent}
    for column in sorted(columns, key=lambda each: (each not in own, abs(each - indent), each not in above)):
        for last in dict.fromkeys((number, _below(lines, number, indent))):
            moved = _moved(lines, number, last, column - indent)
            if moved is not None:
                yield _trap(number, column, moved)


def _continued(lines: list[str], number: int) -> Iterator[Trap]:
    """The second line of a text, which must stand further right than its key."""
    above = next((line for line in reversed(lines[:number]) if line.strip()), "")
    key, text = _BEGINS.match(above), _TEXT.match(lines[number])
    if key is None or text is None or key["key"] is None or re.fullmatch(r"\s*[a-z_]+\s*(#.*)?", lines[number]):
        return
    column = key.start("key") + 2
    indent = len(text["indent"])
    if indent < column:
        yield _trap(number, column, _with(lines, number, " " * column + lines[number][indent:]))


def _columns(lines: list[str], number: int, around: int) -> set[int]:
    """Where keys and dashes of the lines around begin."""
    found: set[int] = set()
    for line in (*lines[max(0, number - around) : number], *lines[number + 1 : number + 1 + around]):
        match = _BEGINS.match(line)
        if match is not None:
            found |= {len(match["indent"]), match.end("dashes")}
        elif item := _ITEM.match(line):
            found.add(len(item["indent"]))
    return found


def _as_those_below(lines: list[str], number: int) -> set[int]:
    """Where the dash of an item stands whose further keys are in the next line."""
    item = _ITEM.match(lines[number])
    following = next((line for line in lines[number + 1 :] if line.strip()), "")
    key = _BEGINS.match(following)
    if item is None or key is None or key["dashes"]:
        return set()
    return {len(key["indent"]) - 2} if len(key["indent"]) >= 2 else set()


def _below(lines: list[str], number: int, indent: int) -> int:
    """The last line of what belongs to a line: all that stands further right."""
    last = number
    for each in range(number + 1, len(lines)):
        line = lines[each]
        if line.strip():
            if len(line) - len(line.lstrip(" ")) <= indent:
                break
            last = each
    return last


def _moved(lines: list[str], first: int, last: int, by: int) -> list[str] | None:
    moved = list(lines)
    for number in range(first, last + 1):
        line = lines[number]
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        if indent + by < 0:
            return None
        moved[number] = " " * (indent + by) + line[indent:]
    return moved


def _with(lines: list[str], number: int, line: str) -> list[str]:
    return [*lines[:number], line, *lines[number + 1 :]]


def _trap(number: int, spaces: int, lines: list[str]) -> Trap:
    shown = clip(lines[number].strip(), 30)
    return Trap("E032", [number + 1], 1, lines, {"line": shown, "spaces": spaces}, safe=False)
