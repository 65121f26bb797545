"""Whether a case can be checked with its script: what can never come to pass is a finding, also under a ``not``, where
it would hold whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from heartrule.engine.variables.offered_values import Strategy
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.names import SCOPES
from heartrule.language.nodes.node import Node
from heartrule.script_tests.answer_table import templates, wrong
from heartrule.script_tests.case import Case, Expect, WantedDirective, WantedExit, WantedForm, texts
from heartrule.script_tests.case_files import ReadFile, near
from heartrule.script_tests.expectations import DETAILS
from heartrule.script_tests.observations import shown_as
from heartrule.script_tests.script_names import KnownScript
from heartrule.script_tests.values import can_hold, near_names, never, rules_of

_PLACE = Bilingual("阶段、话题或动作", "phase, topic or action")
_STEP = Bilingual("话题或动作", "topic or action")
_TOPIC = Bilingual("话题", "topic")
_FORM = Bilingual("表单", "form")
_VARIABLE = Bilingual("变量", "variable")
_AWARENESS = Bilingual("意识脚本", "awareness script")
_ABOUT: Mapping[str, frozenset[str]] = {
    "INSERT_TOPIC": frozenset({"topic"}),
    "SKIP_TOPICS": frozenset({"topics"}),
    "REORDER_TOPICS": frozenset({"topics"}),
    "CALL_TECHNIQUE": frozenset({"technique"}),
    "SET_VAR": frozenset({"var"}),
    "ENABLE": frozenset({"awareness"}),
    "DISABLE": frozenset({"awareness"}),
}
"""What a directive can be about."""


def senseless(read: ReadFile, case: Case, known: KnownScript) -> list[Finding]:
    """What in a case speaks of something that its script does not have, or that can never be so."""
    return list(_Sense(read, known).case(case))


class _Sense:
    def __init__(self, read: ReadFile, known: KnownScript) -> None:
        self._read, self._known = read, known

    def case(self, case: Case) -> Iterator[Finding]:
        for name in case.given.variables:
            yield from self._variable(case.given, ("variables", name), name)
            yield from self._value(case.given, ("variables", name), name, case.given.variables[name])
        if case.given.at is not None and self._known.beginning(case.given.at) is None:
            known = self._known
            listed = [*known.listed_topics, *known.listed_actions, *known.listed_phases]
            yield self._unknown(case.given, ("at",), _PLACE, case.given.at, listed)
        for template, answer in case.answers.items():
            yield from self._answer(case, template, answer)
        for expect in case.all_expected:
            yield from self._expect(expect)

    def _expect(self, expect: Expect) -> Iterator[Finding]:
        for look in (self._places, self._variables, self._forms, self._course):
            yield from look(expect)
        if expect.not_ is not None:
            yield from self._expect(expect.not_)

    # where it goes

    def _places(self, expect: Expect) -> Iterator[Finding]:
        known = self._known
        topics, phases = known.listed_topics, known.listed_phases
        steps = [*topics, *known.listed_actions]
        kinds: tuple[tuple[str, Bilingual, tuple[Callable[[str], object], ...], list[str]], ...] = (
            ("entered", _PLACE, (known.phases, known.topics, known.steps), [*steps, *phases]),
            ("completed", _PLACE, (known.phases, known.topics, known.steps), [*steps, *phases]),
            ("skipped", Bilingual("话题或阶段", "topic or phase"), (known.phases, known.topics), [*topics, *phases]),
            ("suspended", _TOPIC, (known.topics,), topics),
            ("unfinished", _STEP, (known.topics, known.actions, self._is_left), steps),
            ("at", _STEP, (known.topics, known.actions), steps),
        )
        for key, kind, ways, listed in kinds:
            if key in expect.model_fields_set and getattr(expect, key) is not None:
                for name in texts(getattr(expect, key)):
                    if not any(has(name) for has in ways):
                        yield self._unknown(expect, (key,), kind, name, listed)

    def _is_left(self, name: str) -> bool:
        """Whether it is something that a topic can be left without, other than an action."""
        return name in ("done_when", "repeat") or self._known.has_variable(name)

    # what is known

    def _variables(self, expect: Expect) -> Iterator[Finding]:
        for name, value in expect.set.items():
            yield from self._variable(expect, ("set", name), name)
            yield from self._wanted(expect, name, value)
        for name in texts(expect.unset):
            yield from self._variable(expect, ("unset",), name)
        for name in texts(expect.not_asked):
            yield from self._asked(expect, name)

    def _asked(self, expect: Expect, name: str) -> Iterator[Finding]:
        """A variable that no question ever goes for is not asked for whatever happens."""
        unknown = list(self._variable(expect, ("not_asked",), name))
        yield from unknown
        if not unknown and name.rpartition(".")[2] not in self._known.asked:
            why = Bilingual(f"没有哪个问题是为了“{clip(name)}”", f"no question goes for {clip(name)}")
            yield finding("E716", self._read.place(expect, "not_asked"), why=why)

    def _variable(self, node: Node, keys: tuple[str | int, ...], name: str) -> Iterator[Finding]:
        if not can_hold(self._known, name):
            yield self._unknown(node, keys, _VARIABLE, name, near_names(self._known, name))

    def _wanted(self, expect: Expect, name: str, value: Any) -> Iterator[Finding]:
        """A value that is to be there, or with what it came by: a misspelt key would make it an object."""
        if not isinstance(value, Mapping):
            yield from self._value(expect, ("set", name), name, value)
            return
        unknown = [key for key in value if key not in DETAILS]
        for key in unknown:
            if get_close_matches(str(key), DETAILS, 1, 0.75) and not self._holds_objects(name):
                place = self._read.place(expect, "set", name, key)
                yield finding("E101", place, key=clip(key), advice=near(str(key), DETAILS))
        if unknown:
            return
        if "value" in value:
            yield from self._value(expect, ("set", name), name, value["value"])
        for key, kind, may in _DETAILED:
            if key in value and value[key] not in may:
                yield self._unknown(expect, ("set", name, key), kind, str(value[key]), may)

    def _holds_objects(self, name: str) -> bool:
        return any(each.type == "object" or each.fields for each in rules_of(self._known, name))

    def _value(self, node: Node, keys: tuple[str | int, ...], name: str, value: Any) -> Iterator[Finding]:
        if why := never(self._known, name, value):
            yield finding("E714", self._read.place(node, *keys), name=clip(name), value=clip(shown_as(value)), why=why)

    # forms

    def _forms(self, expect: Expect) -> Iterator[Finding]:
        known = self._known
        if expect.form is not None and not known.forms(expect.form):
            yield self._unknown(expect, ("form",), _FORM, expect.form, known.listed_forms)
        yield from self._submitted(expect)
        if not expect.problems:
            return
        forms = known.forms(expect.form) if expect.form is not None else set(known.script.forms)
        fields = [name for ref in forms for name in known.script.forms[ref].by_id]
        wanted = texts(expect.problems) if isinstance(expect.problems, str) else list(expect.problems)
        for name in wanted:
            if name not in fields and not known.forms(name) & forms:
                yield self._unknown(expect, ("problems",), Bilingual("表单项", "field of a form"), name, fields)

    def _submitted(self, expect: Expect) -> Iterator[Finding]:
        wanted = expect.submitted
        if wanted is None:
            return
        meant = wanted if isinstance(wanted, WantedForm) else WantedForm(form=wanted)
        node: Node = expect if isinstance(wanted, str) else wanted
        key = "submitted" if isinstance(wanted, str) else "form"
        forms = [self._known.script.forms[ref] for ref in self._known.forms(meant.form)]
        if not forms:
            yield self._unknown(node, (key,), _FORM, meant.form, self._known.listed_forms)
            return
        scores = {name: score for form in forms for name, score in form.score_by_id.items()}
        for under, names in (("scores", meant.scores), ("bands", meant.bands)):
            for name in names:
                if name not in scores:
                    yield self._unknown(node, (under, name), Bilingual("得分", "score"), name, scores)
        for name, label in meant.bands.items():
            labels = [band.label for form in forms if name in form.score_by_id for band in form.score_by_id[name].bands]
            if name in scores and label not in labels and not any("{" in each for each in labels):
                yield self._unknown(node, ("bands", name), Bilingual("档", "band"), label, labels)

    # what steers it

    def _course(self, expect: Expect) -> Iterator[Finding]:
        known = self._known
        for name in expect.verdict:
            if not known.awareness(name):
                yield self._unknown(expect, ("verdict", name), _AWARENESS, name, known.listed_awareness)
        for name in texts(expect.milestone):
            if not known.has_milestone(name):
                yield self._unknown(
                    expect, ("milestone",), Bilingual("里程碑", "milestone"), name, known.listed_milestones
                )
        if expect.exit is not None:
            yield from self._exit(expect.exit)
        for each in expect.directive if isinstance(expect.directive, list) else [expect.directive]:
            if isinstance(each, WantedDirective):
                yield from self._directive(each)

    def _exit(self, wanted: WantedExit) -> Iterator[Finding]:
        known = self._known
        if wanted.action is None:
            return
        spots = known.steps(wanted.action)
        if not spots:
            listed = [*known.listed_actions, *(spot.action for spot in known.parts.values())]
            yield self._unknown(wanted, ("action",), Bilingual("动作", "action"), wanted.action, listed)
            return
        nodes = [known.node(spot) for spot in spots]
        decides = any("max_rounds" in type(node).model_fields for node in nodes)
        if not known.actions(wanted.action) and (wanted.outcome is not None or not decides):
            why = Bilingual(
                "并行里的动作跟着整块一起收场，写那一块的名字",
                "an action within a block ends with the block; name that",
            )
            yield finding("E716", self._read.place(wanted, "action"), why=why)
            return
        for key, value in (("class", wanted.class_), ("source", wanted.source)):
            if value is not None and not decides:
                kinds = ", ".join(dict.fromkeys(str(node.type) for node in nodes))
                why = Bilingual(
                    f"{kinds} 不按轮次判断结束，没有 {key}，用 outcome",
                    f"{kinds} is not ended by a decision and has no `{key}`; use `outcome`",
                )
                yield finding("E716", self._read.place(wanted, key), why=why)

    def _directive(self, wanted: WantedDirective) -> Iterator[Finding]:
        known, about = self._known, _ABOUT.get(wanted.directive, frozenset())
        kinds: Mapping[str, tuple[Bilingual, Callable[[str], object], list[str]]] = {
            "technique": (Bilingual("技术", "technique"), known.skills, known.listed_skills),
            "topic": (_TOPIC, known.topics, known.listed_topics),
            "topics": (_TOPIC, known.topics, known.listed_topics),
            "awareness": (_AWARENESS, known.awareness, known.listed_awareness),
            "var": (_VARIABLE, known.has_variable, known.listed_variables),
        }
        for key, (kind, has, listed) in kinds.items():
            if key not in wanted.model_fields_set:
                continue
            if key not in about:
                may = ", ".join(f"`{each}`" for each in sorted(about)) or "–"
                why = Bilingual(
                    f"{wanted.directive} 没有 `{key}`，可以写：{may}",
                    f"{wanted.directive} has no `{key}`; it may have {may}",
                )
                yield finding("E716", self._read.place(wanted, key), why=why)
                continue
            for name in texts(getattr(wanted, key) or []):
                if not has(name):
                    yield self._unknown(wanted, (key,), kind, name, listed)

    # who answers

    def _answer(self, case: Case, template: str, answer: Any) -> Iterator[Finding]:
        keys = ("answers", template)
        if template not in templates():
            yield self._unknown(case, keys, Bilingual("提示词模板", "prompt template"), template, sorted(templates()))
        elif why := wrong(answer):
            yield finding("E712", self._read.place(case, *keys), template=template, why=why)

    def _unknown(
        self, node: Node, keys: tuple[str | int, ...], kind: Bilingual, name: str, known: Iterable[str]
    ) -> Finding:
        place = self._read.place(node, *keys)
        return finding("E703", place, kind=kind, name=clip(name), advice=near(name, known))


_DETAILED: tuple[tuple[str, Bilingual, tuple[str, ...]], ...] = (
    ("strategy", Bilingual("取值方式", "strategy"), get_args(Strategy)),
    ("scope", Bilingual("作用域", "scope"), SCOPES),
)
"""Details of a value of which there are so many."""
