"""What a client may hold at that has no line: its exception filters, each with a condition that may name one of its
kind and add an expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heartrule.debugger.breakpoints import Breakpoint, On


@dataclass(frozen=True, slots=True)
class Filter:
    """``named``: what a name in its condition is, in both languages; empty: it takes an expression only."""

    on: On
    label: str
    named: str = ""
    name: str = ""
    default: bool = False


FILTERS: Mapping[str, Filter] = {
    "fault": Filter("fault", "Faults · 故障", default=True),
    "verdict": Filter("verdict", "P0 verdicts · P0 判断", "P0, P1, P2 or a script's id · 优先级或意识脚本", name="P0"),
    "directive": Filter("directive", "Directives · 指令", "its name, such as CALL_TECHNIQUE · 指令名"),
    "exit": Filter(
        "exit", "Exits of actions · 动作退出", "its source, such as max_rounds, or an action · 退出的来源或动作"
    ),
    "call": Filter("prompt", "Model calls · 模型调用", "a prompt's template, such as ai_ask_open · 提示词模板"),
    "variable": Filter("variable", "Variables written · 写变量", "the variable · 变量名"),
    "round": Filter("round", "Rounds · 追问轮次", "an action, or the number of the round · 动作或第几轮"),
    "return": Filter("return", "Returns from techniques · 技术返回", "the technique · 技术"),
}


def shown() -> list[dict[str, Any]]:
    """As a client is told of them."""
    return [
        {
            "filter": name,
            "label": each.label,
            "default": each.default,
            "supportsCondition": True,
            "conditionDescription": _described(each),
        }
        for name, each in FILTERS.items()
    ]


def _described(each: Filter) -> str:
    expression = "if 睡了 < 6"
    return f"{each.named}; [NAME] {expression}" if each.named else expression


def wanted(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The filters that are asked for, with their conditions."""
    for name in arguments.get("filters") or ():
        yield str(name), ""
    for each in arguments.get("filterOptions") or ():
        yield str(each.get("filterId", "")), str(each.get("condition") or "")


def point(number: int, name: str, condition: str) -> Breakpoint:
    """``condition``: ``NAME``, ``NAME if EXPRESSION`` or ``if EXPRESSION``. Raises ``ValueError`` where the filter is
    none of ours or the expression is none."""
    if name not in FILTERS:
        raise ValueError(f"unknown filter {name}")
    chosen, _, expression = f" {condition.strip()} ".partition(" if ")
    each = FILTERS[name]
    return Breakpoint(
        id=f"filter-{number}-{name}", on=each.on, name=chosen.strip() or each.name, condition=expression.strip()
    )
