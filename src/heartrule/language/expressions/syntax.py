"""Tokens to a tree, by operator precedence.

Operators of one level stand side by side in one ``Chain`` (``a + b - c``, ``1 < x <= 5``), so the tree is only as deep
as the brackets and prefixes that were written, and walking it cannot exhaust the stack.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from heartrule.language.expressions.tokens import ExpressionError, Kind, Token, tokens

MAX_DEPTH = 50
"""Of operands within operands: brackets, prefixes and tighter operators all count."""
MAX_NODES = 500
FUNCTIONS = {"len": 1, "exists": 1, "lower": 1, "any": None, "all": None, "days_since": 1}
"""Each function with the number of its arguments; None: one or more."""


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    offset: int
    braced: bool = False


@dataclass(frozen=True, slots=True)
class Literal:
    value: Any
    """Text, number, true, false or null."""
    offset: int


@dataclass(frozen=True, slots=True)
class ListOf:
    items: tuple[Tree, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Prefix:
    operator: str
    """``not`` or ``-``."""
    operand: Tree
    offset: int


@dataclass(frozen=True, slots=True)
class Chain:
    first: Tree
    rest: tuple[tuple[str, Tree], ...]
    level: int
    offset: int


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple[Tree, ...]
    offset: int


Tree = Name | Literal | ListOf | Prefix | Chain | Call
_T = TypeVar("_T", Name, Literal, ListOf, Prefix, Chain, Call)

OR, AND, NOT, COMPARE, ADD, MULTIPLY, TIGHT = 1, 2, 3, 4, 5, 6, 7
_LEVELS = {
    "or": OR, "and": AND,
    "==": COMPARE, "!=": COMPARE, "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE,
    "in": COMPARE, "contains": COMPARE, "not in": COMPARE, "not contains": COMPARE,
    "+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "%": MULTIPLY,
}  # fmt: skip
_WORDS = ("and", "or", "not", "in", "contains")
_CONSTANTS = {"true": True, "false": False, "null": None}
_MEANT = {
    meant: operator
    for operator, words in {
        "==": "是 为 等于 is equals eq",
        "!=": "不是 不等于 isnt",
        ">": "大于 超过 高于",
        "<": "小于 低于 不到",
        ">=": "大于等于 不小于 至少",
        "<=": "小于等于 不大于 至多",
        "and": "且 并且 和 与 而且",
        "or": "或 或者",
        "not": "非",
        "contains": "包含 含有 includes has",
        "in": "属于 在",
    }.items()
    for meant in words.split()
}


def parse_tree(source: str) -> Tree:
    """The tree of ``source``. Raises ExpressionError."""
    return _Parser(tokens(source)).whole()


def children(tree: Tree) -> tuple[Tree, ...]:
    match tree:
        case ListOf():
            return tree.items
        case Prefix():
            return (tree.operand,)
        case Chain():
            return (tree.first, *(right for _, right in tree.rest))
        case Call():
            return tree.arguments
        case _:
            return ()


def walk(tree: Tree) -> Iterator[Tree]:
    """``tree`` and all below it, in the order of the source."""
    yield tree
    for child in children(tree):
        yield from walk(child)


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._depth = 0
        self._nodes = 0

    def whole(self) -> Tree:
        if self._here().kind is Kind.END:
            raise ExpressionError(
                "条件是空的", "The expression is empty", 0, "写一个条件，或者去掉这一行", "Write one, or remove the key"
            )
        tree = self._expression(0)
        if self._here().kind is not Kind.END:
            raise self._unexpected()
        return tree

    def _here(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _operator(self) -> str:
        """The operator or word that stands here, without taking it; "" when none does."""
        token = self._here()
        if token.kind is Kind.OPERATOR:
            return token.text
        if token.kind is not Kind.NAME or token.text.lower() not in _WORDS:
            return ""
        word = token.text.lower()
        after = self._tokens[self._at + 1]
        if word == "not" and after.kind is Kind.NAME and after.text.lower() in ("in", "contains"):
            return f"not {after.text.lower()}"
        return word

    def _take(self, operator: str) -> bool:
        if self._operator() != operator:
            return False
        self._at += 1
        return True

    def _expression(self, above: int) -> Tree:
        """Everything from here whose operators bind tighter than ``above``."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ExpressionError(
                "括号套得太深了", "Brackets are nested too deeply", self._here().offset,
                "拆成几个条件，用 all: 或 any: 组合", "Split it into several and combine them with all: or any:",
            )  # fmt: skip
        left = self._prefix()
        while (level := _LEVELS.get(self._operator(), 0)) > above:
            left = self._chain(left, level)
        self._depth -= 1
        return left

    def _chain(self, first: Tree, level: int) -> Chain:
        rest: list[tuple[str, Tree]] = []
        while _LEVELS.get(operator := self._operator()) == level:
            self._at += 2 if operator.startswith("not ") else 1
            rest.append((operator, self._expression(level)))
        return self._count(Chain(first, tuple(rest), level, first.offset))

    def _count(self, tree: _T) -> _T:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise ExpressionError(
                "条件太复杂了", "The expression is too complex", tree.offset,
                f"最多 {MAX_NODES} 个部分，请拆开", f"At most {MAX_NODES} parts; split it",
            )  # fmt: skip
        return tree

    def _prefix(self) -> Tree:
        offset = self._here().offset
        if self._take("not"):
            return self._prefixed("not", NOT - 1, offset)
        if self._take("!"):
            return self._prefixed("not", TIGHT, offset)
        if self._take("-"):
            return self._prefixed("-", TIGHT, offset)
        if self._take("+"):
            return self._expression(TIGHT)
        return self._primary()

    def _prefixed(self, operator: str, above: int, offset: int) -> Tree:
        operand = self._expression(above)
        if operator == "-" and isinstance(operand, Literal) and type(operand.value) in (int, float):
            return Literal(-operand.value, offset)
        return self._count(Prefix(operator, operand, offset))

    def _primary(self) -> Tree:
        token = self._here()
        if self._take("("):
            tree = self._expression(0)
            self._close(")", token)
            return tree
        if self._take("["):
            return self._count(ListOf(self._items("]", token), token.offset))
        if token.kind is Kind.NAME:
            return self._named()
        if token.kind is Kind.BRACED:
            return self._count(Name(self._next().text, token.offset, braced=True))
        if token.kind in (Kind.TEXT, Kind.NUMBER):
            return self._count(Literal(self._next().value, token.offset))
        raise self._incomplete()

    def _named(self) -> Tree:
        if self._operator():
            raise self._incomplete()
        token = self._next()
        if token.text.lower() in _CONSTANTS:
            return self._count(Literal(_CONSTANTS[token.text.lower()], token.offset))
        bracket = self._here()
        if not self._take("("):
            return self._count(Name(token.text, token.offset))
        function = token.text.lower()
        if function not in FUNCTIONS:
            raise _no_such_function(token)
        arguments = self._items(")", bracket)
        wanted = FUNCTIONS[function]
        if not arguments or (wanted is not None and len(arguments) != wanted):
            raise ExpressionError(
                f"{function}() 括号里应当{'只有一个值' if wanted else '有值'}",
                f"{function}() takes {'exactly one value' if wanted else 'at least one value'}",
                token.offset, f"例如 {function}(变量名)", f"For example {function}(name)",
            )  # fmt: skip
        return self._count(Call(function, arguments, token.offset))

    def _items(self, closing: str, opening: Token) -> tuple[Tree, ...]:
        items: list[Tree] = []
        while self._operator() != closing:
            items.append(self._expression(0))
            if not self._take(","):
                break
        self._close(closing, opening)
        return tuple(items)

    def _close(self, closing: str, opening: Token) -> None:
        if self._take(closing):
            return
        if self._here().kind is Kind.END:
            raise ExpressionError(
                f"括号 {opening.text} 没有闭合", f"The bracket {opening.text} is never closed", opening.offset,
                f"在后面补上 {closing}", f"Add {closing}",
            )  # fmt: skip
        raise self._unexpected()

    def _incomplete(self) -> ExpressionError:
        """An operand was due."""
        token = self._here()
        if token.kind is Kind.END:
            return ExpressionError(
                "条件没有写完", "The expression stops in the middle", token.offset,
                "最后一个运算符后面还要有一个值", "The last operator needs a value after it",
            )  # fmt: skip
        return ExpressionError(
            f"{token.text} 前面缺少一个值", f"A value is missing before {token.text}", token.offset,
            "运算符两边都要有变量名或值；文字要加引号", "An operator needs a name or a value on both sides; quote text",
        )  # fmt: skip

    def _negated(self) -> bool:
        """Whether ``not`` follows (``is not``), which belongs to the operator that was meant."""
        after = self._tokens[self._at + 1]
        return after.kind is Kind.NAME and after.text.lower() == "not"

    def _unexpected(self) -> ExpressionError:
        """An operator or the end was due."""
        token = self._here()
        meant = _MEANT.get(token.text.lower()) if token.kind is Kind.NAME else None
        if meant:
            return ExpressionError(
                f"条件里不能写“{token.text}”", f'"{token.text}" is not an operator', token.offset,
                f"写成 {meant}", f"Write {meant}", None if self._negated() else (token.text, meant),
            )  # fmt: skip
        if token.kind is Kind.OPERATOR:
            return ExpressionError(
                f"多了一个 {token.text}", f"Unexpected {token.text}", token.offset,
                "检查括号和逗号；数字里不要写千位逗号", "Check brackets and commas; write numbers without separators",
            )  # fmt: skip
        return ExpressionError(
            f"“{token.text[:20]}”前面缺少运算符", f'An operator is missing before "{token.text[:20]}"', token.offset,
            "用 ==、and 等连接两个部分，文字要加引号；要让模型来判断，写 judge: 问题",
            "Join the parts with ==, and, … and quote text; to ask the model write judge: …",
        )  # fmt: skip


def _no_such_function(token: Token) -> ExpressionError:
    near = difflib.get_close_matches(token.text.lower(), FUNCTIONS, 1)
    known = "、".join(f"{name}()" for name in FUNCTIONS)
    return ExpressionError(
        f"没有 {token.text}() 这个函数", f"There is no function {token.text}()", token.offset,
        f"是不是 {near[0]}()？" if near else f"可以用的有 {known}",
        f"Did you mean {near[0]}()?" if near else f"There are {known.replace('、', ', ')}",
    )  # fmt: skip
