"""Whether a case can be checked with its script: names that nothing has can never come to pass, and are findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.nodes.node import Node
from heartrule.language.said import Said
from heartrule.rehearsal.answering import THEN, TRIES, WHEN
from heartrule.rehearsal.case import Case, Expect, WantedDirective, WantedForm, texts
from heartrule.rehearsal.expecting import DETAILS, shown_as
from heartrule.rehearsal.known import Known
from heartrule.rehearsal.reading import Read, near
from heartrule.rehearsal.values import never, rules_of

_PLACE = Said("话题、动作或阶段", "topic, action or phase")
_NOT_ASKED = frozenset({"go_on", "mend", "phase", "rules", "script", "values", "visitor"})
"""Templates that are parts of others, follow on them, or are asked outside of sessions."""


def senseless(read: Read, case: Case, known: Known) -> list[Finding]:
    """What in a case speaks of something that its script does not have."""
    return list(_Sense(read, known).case(case))


class _Sense:
    def __init__(self, read: Read, known: Known) -> None:
        self._read, self._known = read, known

    def case(self, case: Case) -> Iterator[Finding]:
        for name in case.given.variables:
            yield from self._variable(case.given, ("variables", name), name)
            yield from self._value(case.given, ("variables", name), name, case.given.variables[name])
        if case.given.at is not None and not self._begins_at(case.given.at):
            known = [*self._known.listed_topics, *self._known.listed_actions]
            yield self._unknown(case.given, ("at",), Said("话题或动作", "topic or action"), case.given.at, known)
        for template, answer in case.answers.items():
            yield from self._answer(case, template, answer)
        for expect in case.all_expected:
            yield from self._expect(expect)
            for name, value in expect.set.items():
                yield from self._wanted(expect, name, value)

    def _begins_at(self, reference: str) -> bool:
        return bool(self._known.topics(reference) or self._known.actions(reference))

    def _expect(self, expect: Expect) -> Iterator[Finding]:
        known = self._known
        places = [*known.listed_topics, *known.listed_actions, *known.listed_phases]
        for key in ("entered", "completed", "skipped", "suspended", "unfinished"):
            if key in expect.model_fields_set:
                for name in texts(getattr(expect, key)):
                    if not (known.has_place(name) or (key == "unfinished" and _is_left(known, name))):
                        yield self._unknown(expect, (key,), _PLACE, name, places)
        if expect.at is not None and not self._begins_at(expect.at):
            yield self._unknown(expect, ("at",), Said("话题或动作", "topic or action"), expect.at, places)
        for name in expect.set:
            yield from self._variable(expect, ("set", name), name)
        for name in texts(expect.unset):
            yield from self._variable(expect, ("unset",), name)
        if expect.form is not None and not known.forms(expect.form):
            yield self._unknown(expect, ("form",), _FORM, expect.form, known.listed_forms)
        yield from self._submitted(expect)
        for name in expect.verdict:
            if not known.awareness(name):
                yield self._unknown(expect, ("verdict", name), _AWARENESS, name, known.listed_awareness)
        ended = expect.exit.action if expect.exit is not None else None
        if expect.exit is not None and ended is not None and not (known.actions(ended) or ended in known.parts):
            listed = [*known.listed_actions, *sorted(known.parts)]
            yield self._unknown(expect.exit, ("action",), Said("动作", "action"), ended, listed)
        wanted = expect.directive if isinstance(expect.directive, list) else [expect.directive]
        for each in wanted:
            if isinstance(each, WantedDirective):
                yield from self._directive(each)
        if expect.not_ is not None:
            yield from self._expect(expect.not_)

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
        scores = [name for form in forms for name in form.score_by_id]
        for under, names in (("scores", meant.scores), ("bands", meant.bands)):
            for name in names:
                if name not in scores:
                    yield self._unknown(node, (under, name), Said("得分", "score"), name, scores)

    def _directive(self, wanted: WantedDirective) -> Iterator[Finding]:
        known = self._known
        kinds: Mapping[str, tuple[Said, Callable[[str], object], list[str]]] = {
            "technique": (Said("技术", "technique"), known.skills, known.listed_skills),
            "topic": (Said("话题", "topic"), known.topics, known.listed_topics),
            "awareness": (_AWARENESS, known.awareness, known.listed_awareness),
            "var": (_VARIABLE, known.has_variable, sorted(known.variables)),
        }
        for key, (kind, has, listed) in kinds.items():
            name = getattr(wanted, key)
            if name is not None and not has(name):
                yield self._unknown(wanted, (key,), kind, name, listed)

    def _answer(self, case: Case, template: str, answer: Any) -> Iterator[Finding]:
        keys = ("answers", template)
        if template not in templates():
            yield self._unknown(case, keys, Said("提示词模板", "prompt template"), template, sorted(templates()))
        elif why := wrong(answer):
            yield finding("E712", self._read.place(case, *keys), template=template, why=why)

    def _variable(self, node: Node, keys: tuple[str | int, ...], name: str) -> Iterator[Finding]:
        if not self._known.has_variable(name):
            yield self._unknown(node, keys, _VARIABLE, name, sorted(self._known.variables))

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
        if not unknown and "value" in value:
            yield from self._value(expect, ("set", name), name, value["value"])

    def _holds_objects(self, name: str) -> bool:
        return any(each.type == "object" or each.fields for each in rules_of(self._known, name))

    def _value(self, node: Node, keys: tuple[str | int, ...], name: str, value: Any) -> Iterator[Finding]:
        if why := never(self._known, name, value):
            yield finding("E714", self._read.place(node, *keys), name=clip(name), value=clip(shown_as(value)), why=why)

    def _unknown(self, node: Node, keys: tuple[str | int, ...], kind: Said, name: str, known: list[str]) -> Finding:
        place = self._read.place(node, *keys)
        return finding("E703", place, kind=kind, name=clip(name), advice=near(name, known))


def _is_left(known: Known, name: str) -> bool:
    """Whether it is something that a topic can be left without, other than an action."""
    return name in ("done_when", "repeat") or known.has_variable(name)


_FORM = Said("表单", "form")
_VARIABLE = Said("变量", "variable")
_AWARENESS = Said("意识脚本", "awareness script")


@cache
def templates() -> frozenset[str]:
    """What a model can be asked with."""
    folder = resources.files("heartrule.prompts").joinpath("default", "en")
    names = {file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md")}
    return frozenset(names - _NOT_ASKED)


def wrong(answer: Any) -> Said | None:
    """What keeps an answer from being one."""
    if isinstance(answer, list):
        return next(filter(None, map(wrong, answer)), None) if answer else Said("列表是空的", "an empty list")
    if isinstance(answer, str):
        return None if answer else Said("是空的", "it is empty")
    if not isinstance(answer, Mapping):
        return Said("不是一组字段，也不是文字", "neither a mapping nor a text")
    if (WHEN in answer) != (THEN in answer) or (WHEN in answer and len(answer) > 2):
        return Said(f"{WHEN} 和 {THEN} 要写在一起", f"{WHEN} and {THEN} belong together, and stand alone")
    if TRIES in answer and (len(answer) > 1 or not isinstance(answer[TRIES], list) or not answer[TRIES]):
        return Said(f"{TRIES} 要单独写，是一个列表", f"{TRIES} stands alone and is a list")
    if WHEN in answer:
        return wrong(answer[THEN])
    return next(filter(None, map(wrong, answer[TRIES])), None) if TRIES in answer else None
