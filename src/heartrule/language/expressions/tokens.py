"""Characters to tokens: names in any script, numbers, quoted text, operators in ASCII or full width."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

MAX_SOURCE = 2_000
MAX_NAME = 200
MAX_DIGITS = 15
"""Up to here a whole number survives JSON and floating point unharmed."""


class ExpressionError(ValueError):
    """A located syntax error: ``offset`` is the 0-based character in the source; the hints say how to mend it.
    ``instead``: what stands there, and what belongs in its place, where that is certain."""

    def __init__(
        self,
        message_zh: str,
        message_en: str,
        offset: int = 0,
        hint_zh: str = "",
        hint_en: str = "",
        instead: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(message_zh)
        self.instead = instead
        self.message_zh = message_zh
        self.message_en = message_en
        self.offset = offset
        self.hint_zh = hint_zh
        self.hint_en = hint_en


class Kind(Enum):
    NAME = auto()
    BRACED = auto()
    NUMBER = auto()
    TEXT = auto()
    OPERATOR = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    """The name, the operator in its ASCII spelling, or the literal as it was written."""
    offset: int
    value: str | int | float | None = None


_ASCII = {
    ord(wide): plain
    for wide, plain in zip("＞＜＝（）！＋－＊／％，［］＆｜．、−×÷", "><=()!+-*/%,[]&|.,-*/", strict=True)
}
_WHOLE = {"≥": ">=", "≤": "<=", "≠": "!=", "≧": ">=", "≦": "<="}
_OPERATORS = ("===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")")
_SPELLINGS = {"===": "==", "!==": "!=", "&&": "and", "||": "or"}
_PUNCTUATION = (*_OPERATORS, "[", "]", ",")
_QUOTES = {"'": "'", '"': '"', "“": "“”", "”": "“”", "‘": "‘’", "’": "‘’", "「": "」", "『": "』"}
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"


def _in_name(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character) in ("Mn", "Mc")


def name_end(text: str, start: int) -> int:
    """Where the dotted name that begins at ``start`` ends; ``start`` itself when none does.

    A name is letters, digits and ``_`` of any script, in parts joined by dots; its first part is not digits alone.
    """
    end, limit = start, min(len(text), start + MAX_NAME + 1)
    while end < limit and _in_name(text[end]):
        end += 1
    first = text[start:end]
    if not first or first.isdecimal() or unicodedata.category(first[0]) in ("Mn", "Mc"):
        return start
    while end + 1 < limit and text[end] == "." and _in_name(text[end + 1]):
        end += 1
        while end < limit and _in_name(text[end]):
            end += 1
    return start if end - start > MAX_NAME else end


def tokens(source: str) -> list[Token]:
    """All tokens of ``source``, ended by one of kind END. Raises ExpressionError."""
    if len(source) > MAX_SOURCE:
        raise ExpressionError(
            f"条件太长了（{len(source)} 个字符，最多 {MAX_SOURCE} 个）",
            f"The expression is too long ({len(source)} characters, at most {MAX_SOURCE})",
            MAX_SOURCE,
            "把它拆成几个条件，用 all: 或 any: 组合",
            "Split it into several conditions and combine them with all: or any:",
        )
    found: list[Token] = []
    at = 0
    while at < len(source):
        if source[at].isspace() or source[at] in _INVISIBLE:
            at += 1
            continue
        token, at = _token(source, at)
        found.append(token)
    return [*found, Token(Kind.END, "", len(source))]


def _token(source: str, at: int) -> tuple[Token, int]:
    character = source[at]
    if character in _QUOTES:
        return _quoted(source, at)
    if character in "{$":
        return _braced(source, at)
    end = name_end(source, at)
    if end > at:
        return Token(Kind.NAME, source[at:end], at), end
    plain = source[at : at + 3].translate(_ASCII)
    if character.isdecimal() or (plain[:1] == "." and plain[1:2].isdecimal()):
        return _number(source, at)
    return _operator(source, at, plain)


def _operator(source: str, at: int, plain: str) -> tuple[Token, int]:
    if source[at] in _WHOLE:
        return Token(Kind.OPERATOR, _WHOLE[source[at]], at), at + 1
    for wrong, right in (("<>", "!="), ("=<", "<="), ("=>", ">=")):
        if plain.startswith(wrong):
            raise ExpressionError(
                f"没有 {wrong} 这个写法", f"{wrong} is not an operator", at, f"写成 {right}", f"Write {right}",
                (source[at : at + 2], right),
            )  # fmt: skip
    for operator in _PUNCTUATION:
        if plain.startswith(operator):
            return Token(Kind.OPERATOR, _SPELLINGS.get(operator, operator), at), at + len(operator)
    raise _misplaced(source, at, plain[:1])


def _misplaced(source: str, at: int, plain: str) -> ExpressionError:
    if plain == "=":
        return ExpressionError(
            "这里只有一个等号", "A single = stands here", at, "比较相等写两个等号 ==", "To compare, write ==",
            (source[at], "=="),
        )  # fmt: skip
    if plain in ("&", "|"):
        word = "and" if plain == "&" else "or"
        return ExpressionError(
            f"单个 {plain} 没有意义", f"A single {plain} has no meaning", at, f"写成 {word}", f"Write {word}",
            (source[at], word),
        )  # fmt: skip
    if plain in (":", "："):
        return ExpressionError(
            "条件里不能有冒号", "A colon cannot stand in a condition", at,
            "比较相等写 ==；要让模型来判断，写 judge: 问题", "To compare write ==; to ask the model write judge: …",
        )  # fmt: skip
    shown = shown_character(source[at])
    return ExpressionError(
        f"看不懂这个字符：{shown}", f"Unexpected character: {shown}", at,
        "如果它是一段文字的一部分，请给整段文字加上引号", "If it belongs to a text, put the text in quotes",
    )  # fmt: skip


def shown_character(character: str) -> str:
    """Something that any terminal and any encoder can take."""
    return character if character.isprintable() else f"U+{ord(character):04X}"


def _quoted(source: str, at: int) -> tuple[Token, int]:
    opening = source[at]
    closing = _QUOTES[opening]
    words: list[str] = []
    here = at + 1
    while here < len(source):
        character = source[here]
        if character in closing:
            return Token(Kind.TEXT, source[at : here + 1], at, "".join(words)), here + 1
        if (
            character == "\\"
            and opening in "'\""
            and source[here + 1 : here + 2] in _ESCAPES
            and here + 1 < len(source)
        ):
            words.append(_ESCAPES[source[here + 1]])
            here += 2
            continue
        words.append(character)
        here += 1
    raise ExpressionError(
        "引号没有成对", "The quotation mark is never closed", at,
        f"在文字后面补上 {closing[-1]}", f"Add {closing[-1]} after the text",
    )  # fmt: skip


def _braced(source: str, at: int) -> tuple[Token, int]:
    start = at + 1 if source[at] == "$" else at
    braces = 2 if source.startswith("{{", start) else 1
    if not source.startswith("{", start):
        raise ExpressionError("$ 后面应当是 {变量名}", "$ must be followed by {name}", at, "去掉 $", "Remove the $")
    inner = start + braces
    if source.startswith("%", inner):
        raise ExpressionError(
            "条件里不能用系统变量 {%…%}", "A condition cannot read a system variable {%…%}", at,
            "用脚本变量，或者 topic.attempts 这样的计数", "Use a script variable, or a counter such as topic.attempts",
        )  # fmt: skip
    closing = source.find("}" * braces, inner)
    name = source[inner:closing].strip() if closing >= 0 else ""
    if closing < 0 or not name or name_end(name, 0) != len(name):
        raise ExpressionError(
            "花括号里应当是一个变量名", "Braces must hold the name of a variable", at,
            "条件里的变量名可以不加花括号", "Names need no braces in a condition",
        )  # fmt: skip
    return Token(Kind.BRACED, name, at), closing + braces


def _number(source: str, at: int) -> tuple[Token, int]:
    end = _digits(source, at)
    fraction = source[end : end + 1] in (".", "．") and _digits(source, end + 1) > end + 1
    if fraction:
        end = _digits(source, end + 1)
    written = source[at:end].replace("．", ".")
    if len(written) - fraction > MAX_DIGITS:
        raise ExpressionError(
            "这个数太长了", "This number is too long", at,
            f"数字最多 {MAX_DIGITS} 位", f"At most {MAX_DIGITS} digits",
        )  # fmt: skip
    return Token(Kind.NUMBER, written, at, float(written) if fraction else int(written)), end


def _digits(source: str, at: int) -> int:
    while at < len(source) and source[at].isdecimal():
        at += 1
    return at
