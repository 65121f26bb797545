"""W442: a field that is accepted where nothing reads it: ``timeout`` of what never waits, ``fallback`` where nothing
stands in for a model's words, a ``card`` of what says nothing, ``ends`` without a range, ``key`` of what is no list;
of a project ``monitoring`` without monitors, ``strategies`` with nothing adaptive, traits that no variable holds."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action, Variable, VariableRules
from heartrule.language.said import Said

_NEVER_WAITS = Said("这个动作从不等人", "the action never waits for the person")
_NOTHING_INSTEAD = Said("话不由模型说，没有要替换的", "no model speaks here, so nothing stands in for it")
_SAYS_NOTHING = Said("这个动作什么也不说，没有话可以放在旁边", "the action says nothing that it could stand beside")
_NO_RANGE = Said("没有 range，就没有两端", "without a range there are no ends")
_NO_LIST = Said("只有列表才按它认同一项", "only items of a list are told apart by it")
_NO_MONITORS = Said("monitors: false 已经关掉了监控", "monitors: false has switched the monitors off")
_NOT_ADAPTIVE = Said("这个项目里没有 adaptive: true 的动作", "no action of the project is adaptive: true")
_NO_VARIABLE = Said("没有叫这个名字的变量", "no variable has that name")
BESIDE = ("card", "chart", "audio")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        for key, why in _of_action(action):
            place = view.project.at(action, key)
            yield finding("W442", place, mend=view.without(place), key=key, why=why)
    for rules in view.rules():
        for key, why in _of_rules(rules):
            place = view.project.at(rules, key)
            yield finding("W442", place, mend=view.without(place, safe=False), key=key, why=why)
    for path, why in _of_project(view):
        yield finding("W442", view.project.at(view.project.node, *path), key=path[-1], why=why)


def _of_project(view: View) -> Iterator[tuple[tuple[str, ...], Said]]:
    project = view.project.node
    if project.monitoring == "full" and not project.monitors and not any(s.monitors for s in view.project.sessions):
        yield ("monitoring",), _NO_MONITORS
    if "strategies" not in project.model_fields_set or not view.project.whole:
        return
    if not any(action.peek("adaptive") for _, action in view.actions()):
        yield ("strategies",), _NOT_ADAPTIVE
    known = set(view.globals).union(*(view.names_in(body) for body in view.bodies))
    known |= {variable.var for session in view.project.sessions for variable in session.declare}
    for trait, name in project.strategies.profile:
        if isinstance(name, str) and name not in known:
            yield ("strategies", "profile", trait), _NO_VARIABLE


def _of_action(action: Action) -> Iterator[tuple[str, Said]]:
    traits = action.traits
    if action.timeout and not action.may_wait():
        yield "timeout", _NEVER_WAITS
    spoken_for = traits.model == "words" and traits.is_leaf and traits.asks != "own" and not traits.silent
    if action.fallback and not spoken_for and traits.offers != "choice":
        yield "fallback", _NOTHING_INSTEAD
    for key in BESIDE:
        if traits.silent and action.peek(key) is not None:
            yield key, _SAYS_NOTHING


def _of_rules(rules: VariableRules) -> Iterator[tuple[str, Said]]:
    if rules.ends and rules.range is None and isinstance(rules, Variable):
        yield "ends", _NO_RANGE
    if rules.key and rules.type not in (None, "list"):
        yield "key", _NO_LIST
