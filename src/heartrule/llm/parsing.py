"""Model text → an object that fits the task, or the reasons why not.

In order: as it is, trimmed, the fenced block, repaired. Each try is recorded. Whatever the model wrote, this returns;
it never raises and its work is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

import json_repair

from heartrule.llm.shape import sieve

Strategy = Literal["direct", "trimmed", "fenced", "repaired"]

READ_LIMIT = 1_500_000
"""Characters that are read at all."""
REPAIR_LIMIT = 6_000
REPAIR_MARKS = 300
REPAIR_DEPTH = 12
"""Characters, brackets and quotes, and open brackets that are repaired. An answer of ours has 1,000, 100 and 4. The
repairer takes the product of them: within these limits half a second at worst, without them eleven for 18 kB."""

_INVISIBLE = " \t\r\n\ufeff\u200b\u200e\u200f\u00a0\u3000"


@dataclass(frozen=True, slots=True)
class Try:
    strategy: Strategy
    problem: str
    """Empty for the one that won."""


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """``data`` is None when nothing usable was found; ``problem`` then says why, without quoting the answer."""

    data: dict[str, Any] | None
    tries: tuple[Try, ...]
    problem: str = ""
    dropped: tuple[str, ...] = field(default=())
    """Paths of fields that were left out because they do not fit the schema."""

    @property
    def strategy(self) -> Strategy | None:
        """The strategy that won."""
        return self.tries[-1].strategy if self.data is not None else None

    @property
    def tried(self) -> tuple[str, ...]:
        return tuple(each.strategy for each in self.tries)


def parse(text: str, schema: Mapping[str, Any] | None = None, required: Sequence[str] = ()) -> ParsedAnswer:
    """Read ``text`` as a JSON object, drop what ``schema`` forbids, and insist on ``required``."""
    if len(text) > READ_LIMIT:
        return ParsedAnswer(None, (), f"the answer is too long ({len(text)} characters)")
    tries: list[Try] = []
    for strategy, read in _STRATEGIES:
        found, problem = _attempt(read, text)
        if found is not None:
            data, dropped = sieve(found, schema or {})
            rules = (schema or {}).get("properties", {})
            missing = [key for key in required if _absent(data.get(key), rules.get(key, {}))]
            problem = f"missing or unusable: {', '.join(missing)}" if missing else ""
            if not missing:
                return ParsedAnswer(data, (*tries, Try(strategy, "")), dropped=dropped)
        tries.append(Try(strategy, problem))
    return ParsedAnswer(None, tuple(tries), _worst(tries))


def _absent(value: object, rule: Mapping[str, Any]) -> bool:
    """An empty text is no answer; where the schema says that it is one (``minLength: 0``), blanks are none."""
    if value == "" and rule.get("minLength") == 0:
        return False
    return value is None or (isinstance(value, str) and not value.strip())


def _worst(tries: Sequence[Try]) -> str:
    """What to tell the model: a missing field is closer to the mark than a syntax error."""
    for each in tries:
        if each.problem.startswith("missing"):
            return each.problem
    return tries[-1].problem


def _attempt(read: Callable[[str], object], text: str) -> tuple[dict[str, Any] | None, str]:
    try:
        found = read(text)
    except _NotHere as error:
        return None, str(error)
    except json.JSONDecodeError as error:
        return None, f"not JSON ({error.msg} at line {error.lineno} column {error.colno})"
    except (ValueError, RecursionError) as error:
        return None, f"not JSON ({type(error).__name__})"
    if not isinstance(found, dict):
        return None, f"a JSON object is needed, not {_kind(found)}"
    return storable(found) if "\\u" in text or "\0" in text else found, ""


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")


class _NotHere(Exception):
    """A strategy has nothing to work on."""


def loads(text: str) -> object:
    """JSON as models write it: line breaks in texts are allowed, NaN and endless numbers are not. Raises ValueError."""
    return json.loads(text, parse_constant=_no_constant, parse_float=_finite, strict=False)


def _no_constant(name: str) -> object:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("number out of range")
    return number


def storable(value: Any) -> Any:
    """Without NUL and half characters, which JSON can spell and databases refuse."""
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    return value


def _direct(text: str) -> object:
    return loads(text)


def _trim(text: str) -> str:
    """Without invisible characters at the ends and without the thoughts that reasoning models write first."""
    text = text.strip(_INVISIBLE)
    if text.startswith("<think>") and (end := text.rfind("</think>")) >= 0:
        text = text[end + len("</think>") :].strip(_INVISIBLE)
    return text


def _trimmed(text: str) -> object:
    trimmed = _trim(text)
    if trimmed == text:
        raise _NotHere("nothing to trim")
    return loads(trimmed)


def _enclosed(text: str) -> str | None:
    """The inside of the first code fence, else from the first brace to the last."""
    text = _trim(text)
    start = text.find("```")
    if start >= 0:
        line = text.find("\n", start)
        brace = text.find("{", start)
        inside = line + 1 if line >= 0 and (brace < 0 or line < brace) else brace
        end = text.rfind("```", max(inside, 0))
        if inside > 0 and end > inside:
            return text[inside:end].strip(_INVISIBLE)
    first, last = text.find("{"), text.rfind("}")
    return text[first : last + 1] if 0 <= first < last else None


def _fenced(text: str) -> object:
    inside = _enclosed(text)
    if inside is None or inside == text:
        raise _NotHere("no fenced block and no text round an object")
    return loads(inside)


def _repaired(text: str) -> object:
    inside = _trim(text)
    if "{" not in inside[:REPAIR_LIMIT]:
        raise _NotHere("there is no JSON object in it")
    if len(inside) > REPAIR_LIMIT:
        raise _NotHere(f"too long to repair ({len(inside)} characters)")
    if _tangled(inside):
        raise _NotHere("too tangled to repair")
    if _cut_in_text(inside):
        raise _NotHere("cut off inside a text")
    found = json_repair.loads(inside[inside.find("{") :], skip_json_loads=True)
    json.dumps(found, allow_nan=False)
    return found


def _tangled(text: str) -> bool:
    marks = [character for character in text if character in _MARKS]
    if len(marks) > REPAIR_MARKS:
        return True
    depths = accumulate((mark in "{[") - (mark in "}]") for mark in marks)
    return max(depths, default=0) > REPAIR_DEPTH


_MARKS = frozenset("{}[]\"'\\“”‘’")


def _cut_in_text(text: str) -> bool:
    """Whether the answer stops within a string. Closing that string would put half a sentence into someone's mouth."""
    if text.rstrip("`" + _INVISIBLE).endswith(("}", "]")):
        return False
    inside = escaped = False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = inside
        elif character == '"':
            inside = not inside
    return inside


_STRATEGIES: tuple[tuple[Strategy, Callable[[str], object]], ...] = (
    ("direct", _direct),
    ("trimmed", _trimmed),
    ("fenced", _fenced),
    ("repaired", _repaired),
)
