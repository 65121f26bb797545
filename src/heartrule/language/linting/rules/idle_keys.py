"""W442: a field of anything but an action that is accepted where nothing reads it. Of variables: ``ends`` without a
range, ``key`` of what is no list. Of directives: what another one needs. Of forms: ``max_length`` of a number, feedback
on other points than are counted. Of memory: what is to be read where nothing is. Of a project: ``monitoring`` without
monitors, ``strategies`` with nothing adaptive."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.reach import orders
from heartrule.language.findings import Finding, finding
from heartrule.language.forms.scoring import POINTS, is_feedback, is_on_points
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node, Variable, VariableRules
from heartrule.language.nodes.conditions import judges
from heartrule.language.nodes.forms import FormField
from heartrule.language.nodes.memory import MemoryRules
from heartrule.language.nodes.strategy import TopicStrategy
from heartrule.language.references import SAFETY

_NO_RANGE = Bilingual("没有 range，就没有两端", "without a range there are no ends")
_NO_LIST = Bilingual("只有列表才按它认同一项", "only items of a list are told apart by it")
_NOT_AGAIN = Bilingual("不再问，就没有次数", "it is not asked again, so nothing is counted")
_EMPTY = Bilingual("既没有 var，也没有 condition", "it has neither var nor condition")
_HAS_DEFAULT = Bilingual("有 default，不给也行", "default stands in where none is given")
_NO_TECHNIQUE = Bilingual("没有转去哪里，就没有回来", "it leads nowhere that could be come back from")
_NOT_JUDGED = Bilingual("算出来的条件，只有成立和不成立", "what code works out either holds or does not")
_NOT_TAKEN = Bilingual("这条指令用不到它", "this directive does not use it")
_NOT_READ = Bilingual("enabled: false，不读也不写", "enabled: false keeps it from being used at all")
_OF_THE_PERSON = Bilingual("只有 AI 的 tone 和 picture 用得上", "only the AI speaks in a tone, with a picture")
_OF_SAFETY = Bilingual(
    "只有 safety 项目的技术不让模型说话", "only techniques of the project safety keep models from speaking"
)
_NO_RETRY = Bilingual("没有 retry，就没有次数", "without retry nothing is counted")
_OF_OTHERS = Bilingual("这一种题用不到它", "a question of this kind does not use it")
_NO_RULE = Bilingual("没有 validate，就没有什么不合", "without validate nothing is wrong that it could be said of")
_ASKS_NOTHING = Bilingual("note 只给人看", "a note is only shown")
_NOT_COUNTED = Bilingual(
    f"满意度只数按 {POINTS[0]} 到 {POINTS[1]} 分回答的题，这里没有",
    f"satisfaction counts questions answered from {POINTS[0]} to {POINTS[1]}, and there is none",
)
_NO_MONITORS = Bilingual("monitors: false 已经关掉了监控", "monitors: false has switched the monitors off")
_NOT_ADAPTIVE = Bilingual("这个项目里没有 adaptive: true 的动作", "no action of the project is adaptive: true")
_NO_VARIABLE = Bilingual("没有叫这个名字的变量", "no variable has that name")
Idle = Iterator[tuple[Node, tuple[str, ...], Bilingual]]

_TAKES = {
    "INSERT_TOPIC": ("topic", "position"),
    "SKIP_TOPICS": ("topics",),
    "REORDER_TOPICS": ("priority_map",),
    "CALL_TECHNIQUE": ("technique", "without_model", "params"),
    "SET_VAR": ("var", "value"),
    "FEEDBACK": ("text",),
    "ENABLE": ("awareness",),
    "DISABLE": ("awareness",),
    "ESCALATE": ("to", "note"),
}
_COMES_BACK = ("CALL_TECHNIQUE", "INSERT_TOPIC")
_NUMBERS = ("integer", "number", "slider")
_MEANS = {
    "range": (*_NUMBERS, "mood"),
    "step": _NUMBERS,
    "unit": _NUMBERS,
    "ends": ("slider", "mood"),
    "max_length": ("text", "longtext"),
    "options": ("single", "multiple"),
}
"""Of which kinds of question a key means something."""


def check(view: View) -> Iterator[Finding]:
    for found in (_variables, _directives, _awareness, _forms, _memory, _steps, _project):
        for node, path, why in found(view):
            place = view.project.at(node, *path)
            yield finding("W442", place, mend=view.without(place, safe=False), key=str(path[-1]), why=why)


def _variables(view: View) -> Idle:
    for rules in view.rules():
        if rules.ends and rules.range is None and isinstance(rules, Variable):
            yield rules, ("ends",), _NO_RANGE
        if rules.key and rules.type not in (None, "list"):
            yield rules, ("key",), _NO_LIST
        yield from _looked_for(rules)


def _looked_for(rules: VariableRules) -> Idle:
    failing = rules.on_failure
    if failing is not None and failing.do != "reask" and "max" in failing.model_fields_set:
        yield failing, ("max",), _NOT_AGAIN
    if any(each.var is None and each.condition is None for each in rules.depends_on or ()):
        yield rules, ("depends_on",), _EMPTY


def _directives(view: View) -> Idle:
    known = {key for keys in _TAKES.values() for key in keys}
    for node in view.ordering():
        for directive in orders(node):
            for key in sorted(directive.model_fields_set & known - {*_TAKES.get(directive.directive, ())}):
                yield directive, (key,), _NOT_TAKEN


def _awareness(view: View) -> Idle:
    for node in view.project.awareness:
        if "resume" in node.model_fields_set and not any(d.directive in _COMES_BACK for d in node.directives()):
            yield node, ("resume",), _NO_TECHNIQUE
        if node.noticing is None and not any(judges(node.condition)):
            for key in ("on_wish", "on_watch", "on_other", "on_repeat"):
                if getattr(node, key):
                    yield node, (key,), _NOT_JUDGED


def _forms(view: View) -> Idle:
    for form in view.project.forms:
        for field in form.fields:
            yield from _field(field)
        if is_feedback(form.id) and not any(is_on_points(each) for each in form.fields):
            yield form, ("id",), _NOT_COUNTED


def _field(field: FormField) -> Idle:
    for key, kinds in _MEANS.items():
        if key in field.model_fields_set and field.type not in kinds:
            yield field, (key,), _OF_OTHERS
    if field.message and field.validate_ is None:
        yield field, ("message",), _NO_RULE
    if not field.asked:
        for key in ("required", "value", "validate"):
            if getattr(field, "validate_" if key == "validate" else key):
                yield field, (key,), _ASKS_NOTHING


def _memory(view: View) -> Idle:
    for rules in _said(view):
        for part in (rules.read, rules.write):
            if part is not None and part.enabled is False:
                for key in sorted(part.model_fields_set - {"enabled"}):
                    yield part, (key,), _NOT_READ


def _said(view: View) -> Iterator[MemoryRules]:
    project = view.project.node
    nodes = [project, project.defaults, *view.nodes(), *(action for _, action in view.actions())]
    yield from (each for each in (getattr(node, "memory", None) for node in nodes) if each is not None)


def _steps(view: View) -> Idle:
    for body in view.bodies:
        strategy = body.steps.strategy
        if (
            isinstance(strategy, TopicStrategy)
            and strategy.retry is None
            and "max_retries" in strategy.model_fields_set
        ):
            yield strategy, ("max_retries",), _NO_RETRY
    for skill in view.project.skills:
        if skill.led and view.project.id != SAFETY:
            yield skill, ("led",), _OF_SAFETY
        for parameter in skill.parameters:
            if parameter.required and parameter.default is not None:
                yield parameter, ("required",), _HAS_DEFAULT


def _project(view: View) -> Idle:
    project = view.project.node
    if project.monitoring == "full" and not project.monitors and not any(s.monitors for s in view.project.sessions):
        yield project, ("monitoring",), _NO_MONITORS
    for role in project.roles:
        if role.role == "person":
            yield from ((role, (key,), _OF_THE_PERSON) for key in ("tone", "picture") if getattr(role, key))
    if "strategies" not in project.model_fields_set or not view.project.whole:
        return
    if not any(action.peek("adaptive") for _, action in view.actions()):
        yield project, ("strategies",), _NOT_ADAPTIVE
    known = set(view.globals).union(*(view.names_in(body) for body in view.bodies))
    known |= {variable.var for session in view.project.sessions for variable in session.declare}
    for trait, name in project.strategies.profile:
        if isinstance(name, str) and name not in known:
            yield project, ("strategies", "profile", trait), _NO_VARIABLE
