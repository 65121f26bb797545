"""What tests came to, for people: in their language, with the conversation where one failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from heartrule.engine import branches
from heartrule.engine.session.events import BranchesTaken
from heartrule.engine.session.io import Message
from heartrule.language.findings import clip
from heartrule.language.texts.plain import packaged_yaml
from heartrule.locales import is_chinese
from heartrule.script_tests.case import Step, texts
from heartrule.script_tests.case_run import RanCase, Took
from heartrule.script_tests.observations import Outcome, shown_as
from heartrule.script_tests.parallel_runs import CaseResult
from heartrule.script_tests.situations import GROUPS


@cache
def _texts() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = packaged_yaml("heartrule.script_tests", "texts.yaml")
    return found


class ReportTexts:
    """Reports in Chinese (any ``zh…`` tag) or English (any other)."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._texts = _texts()["zh" if is_chinese(lang) else "en"]

    def __call__(self, key: str, **values: object) -> str:
        return str(self._texts[key]).format_map(values)

    def result(self, held: CaseResult) -> str:
        """One test: a line when it passed, what failed and the conversation when it did not."""
        case = held.job.case
        group = self._texts["groups"][case.group]
        head = f"{'✓' if held.passed else '✗'} {held.job.file}:{case.place.line} {case.test} ({group})"
        if len(held.runs) > 1:
            head += f" – {self('times', passes=held.passes, runs=len(held.runs), wanted=case.live.wanted)}"
        if held.passed:
            return head
        return "\n".join([head, *(f"    {line}" for line in self._all(held))])

    def why(self, held: CaseResult) -> str:
        """What failed, and the conversation."""
        return "\n".join(self._all(held))

    def failed(self, ran: RanCase) -> list[str]:
        """What failed in one run, and the conversation."""
        return list(self._why(ran))

    def _all(self, held: CaseResult) -> Iterator[str]:
        """Of every run that failed, the first with its conversation."""
        for number, ran in enumerate(held.runs, 1):
            if ran is not held.shown and not ran.passed:
                yield from (f"{self('run', number=number)} {line}" for line in self._failed(ran))
        yield from self._why(held.shown)

    def summary(self, held: Sequence[CaseResult], seconds: float) -> str:
        """The counts, by situation and together."""
        lines = []
        for group in GROUPS:
            of = [each for each in held if each.job.case.group == group]
            if of:
                lines.append(f"{self._texts['groups'][group]} {sum(each.passed for each in of)}/{len(of)}")
        passed = sum(each.passed for each in held)
        total = self("summary", count=len(held), passed=passed, failed=len(held) - passed, seconds=f"{seconds:.1f}")
        return "\n".join([" · ".join(lines), total] if lines else [total])

    def _why(self, ran: RanCase) -> Iterator[str]:
        yield from self._failed(ran)
        if ran.notes:
            yield self("notes")
            for code, about in ran.notes:
                yield f"  {self(f'note_{code}', about=clip(about, _LONG))}"
        yield self("transcript")
        for took in ran.took:
            yield from self._turn(took)

    def _failed(self, ran: RanCase) -> Iterator[str]:
        """In the order of the conversation: what kept it from going on comes last."""
        for each in ran.outcomes:
            if not each.held:
                yield self._outcome(ran, each)
        if ran.fault is not None:
            where = self._move(ran.took[-1]) if ran.took else self("whole")
            yield from _indented(f"{where}: {self(ran.fault[0], about=ran.fault[1])}", "")

    def _outcome(self, ran: RanCase, outcome: Outcome) -> str:
        took = None if outcome.turn is None else ran.took[outcome.turn]
        where = self("whole") if took is None else self._move(took)
        key = "not_wanted" if outcome.kind.startswith("not ") or outcome.kind == "never_says" else "wanted"
        said = self(key, kind=outcome.kind, wanted=outcome.wanted, got=clip(outcome.got, _LONG))
        return f"{where} – {outcome.place.line}: {said}"

    def _move(self, took: Took) -> str:
        return self("step", number=took.number, move=_written(took.step))

    def _turn(self, took: Took) -> Iterator[str]:
        """A move and what was said in it."""
        key = _ASIDES.get(took.step.verb)
        if key is not None:
            yield "  " + self(key, time=took.step.wait)
        if any(branches.is_timeout(way) for e in took.events if isinstance(e, BranchesTaken) for way in e.taken):
            yield "  " + self("timed_out")
        filled = filled_in(took)
        if filled:
            yield f"  > {filled}"
        for message in took.messages:
            yield from _indented(self._said(message), "  ")
        form = form_awaited(took)
        if form:
            yield f"    [{form}]"
        choices = took.request.choices
        if choices:
            yield "    [" + " | ".join(f"{each.value} {each.label}" for each in choices) + "]"

    def _said(self, message: Message) -> str:
        if message.sender == "person":
            return f"> {message.text}"
        return f"{message.name or self(message.sender)}: {message.text}"


_ASIDES = {
    "start": "begins",
    "wait": "passed_time",
    "reconnect": "reconnected",
    "pause": "paused",
    "resume": "resumed",
    "end": "ended",
}


_LONG = 160


def filled_in(took: Took) -> str:
    """What a move has written into a form, and what was done with it; nothing where it is no such move."""
    step = took.step
    if step.verb != "fill":
        return ""
    how = "cancel" if step.cancel else "draft" if step.submit is False else "submit"
    return f"{shown_as(step.fill)} ({how})"


def form_awaited(took: Took) -> str:
    """The form that is before the person after a move, and what it objects to."""
    form = took.request.form
    if form is None:
        return ""
    return " | ".join([form.id, *(f"{field or '*'}: {message}" for field, _, message in form.problems)])


def _written(step: Step) -> str:
    """A move as it is written."""
    verb = step.verb
    if verb == "say":
        return f"say: {' / '.join(texts(step.say))}"
    return f"{verb}: {getattr(step, verb)}" if verb in ("choose", "wait") else verb


def _indented(text: str, before: str) -> Iterator[str]:
    first, *rest = text.splitlines() or [""]
    yield before + first
    yield from (f"{before}  {line}" for line in rest)
