"""A visitor by rule and seed: answers whatever a session awaits, in words that suit what was asked.

For tests that must hold every script to its end, and for load; no model, and the same seed gives the same words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from heartrule.engine.session.io import Request
from heartrule.engine.session.state import State
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Get, VariableRules
from heartrule.locales import is_chinese
from heartrule.script_tests.script_position import action_at, body_at

__all__ = ["Visitor", "action_at", "body_at"]

WORDS = {
    "zh": (
        "最近工作压力很大，晚上总想着白天的事",
        "大概两个月前换了部门以后就这样了",
        "上周三开会被领导说了几句，回来一直难受",
        "我觉得自己什么都做不好",
        "跟朋友聊聊会好一点",
        "就是提不起劲，什么都不想做",
    ),
    "en": (
        "Work has been too much lately and I keep thinking about it at night",
        "It began about two months ago when I changed teams",
        "Last Wednesday my manager criticised me and I felt awful all evening",
        "I feel that I do nothing right",
        "Talking with a friend helps a little",
    ),
}


GOING_ON = ("go_on",)
"""What is picked rather than the end of the session, when the safety project has handed back."""


@dataclass(slots=True)
class Visitor:
    """``yes`` is how often a yes-or-no question is answered with yes; questions about safety are always answered with
    no unless ``at_risk``."""

    script: Script
    seed: int = 0
    yes: float = 0.3
    at_risk: bool = False
    prefer: tuple[str, ...] = ("safe",)
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)

    def reply(self, state: State, request: Request) -> tuple[str, str]:
        """("choice", value) or ("message", text). Forms are passed over."""
        if request.kind in ("choice", "press"):
            values = [choice.value for choice in request.choices]
            wanted = next((value for value in (*self.prefer, *GOING_ON) if value in values), None)
            return "choice", wanted or self.random.choice(values)
        if request.kind == "form":
            return "message", "跳过" if is_chinese(self.script.locale) else "skip"
        return "message", self._words(state)

    def _words(self, state: State) -> str:
        zh = is_chinese(self.script.locale)
        for item in self._asked(state):
            rules = self._rules(state, item)
            said = self._typed(rules, safety=rules.risk or self._in_safety(state), zh=zh)
            if said is not None:
                return said
        return self.random.choice(WORDS["zh" if zh else "en"])

    def _typed(self, rules: VariableRules, *, safety: bool, zh: bool) -> str | None:
        match rules.type:
            case "boolean":
                agree = self.at_risk if safety else self.random.random() < self.yes
                return ("有" if agree else "没有") if zh else ("yes" if agree else "no")
            case "integer" | "number":
                low, high = rules.range or (0, 10)
                return str(self.random.randint(int(low), int(high)))
            case "enum":
                return str(self.random.choice(rules.options or [""]))
            case "date":
                return "2026-10-05"
            case "list":
                return "妈妈、老同学" if zh else "my mother, an old friend"
            case _:
                return None

    def _asked(self, state: State) -> list[Get]:
        action = action_at(self.script, state)
        name = state.running.action.asking if state.running and state.running.action else None
        gets = [item for item in getattr(action, "output", []) if isinstance(item, Get)]
        return sorted(gets, key=lambda item: item.get != name)

    def _rules(self, state: State, item: Get) -> VariableRules:
        declared = [*self.script.variables.values(), *self.script.session.declare]
        for phase in self.script.session.phases:
            declared += phase.declare
        body = body_at(self.script, state)
        declared += body.declare if body else []
        known = next((v for v in declared if v.var == item.get), None)
        return item if item.type is not None or known is None else known

    @staticmethod
    def _in_safety(state: State) -> bool:
        return state.running is not None and state.running.project == "safety"
