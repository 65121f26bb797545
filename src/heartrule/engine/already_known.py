"""``when_known: confirm``: what the person has told already is not asked again, but confirmed with a short question.

A yes ends the action; a correction is its answer; a no without another value lets it be asked as usual. Where only some
of what is wanted is known, that is mentioned and only the rest asked for. The words are the scheme's own: no call is
made for them. What no person has told (a default, a value that the script has set) is not known in this sense, and
where a variable is marked ``risk`` the question is put in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol

from heartrule.engine import asking, exit_policy, reviewing, rounds, scopes, speech
from heartrule.engine.actions.base import Heard, Moves, Step
from heartrule.engine.definitions import lookup
from heartrule.engine.dependencies import rules_of, wanted
from heartrule.engine.exit_policy import Decision
from heartrule.engine.extraction import gets, locate
from heartrule.engine.io import Rest
from heartrule.engine.tasks import Answer, Task
from heartrule.engine.variables import Value
from heartrule.engine.wording import called, puts_a_question, question_for, reask
from heartrule.engine.work import Work
from heartrule.language import placeholders, readers, values
from heartrule.language.nodes import Get, Set, VariableRules

LABEL = 12
"""Chinese characters of a meaning that may name a value in a sentence; English ones three times as many. A longer one
makes way for the variable's own name."""
SHOWN = 60
"""Characters of a value in the question."""
_MANY = ("list", "object")
_CLAUSES = re.compile(r"[，,。.！!；;\n]+")
_DENIES = re.compile(r"不|没|别|\bnot\b|n't\b|\bno\b", re.IGNORECASE)
_TURNS = re.compile(r"但|不过|可是|只是|现在|改|\bbut\b|\bnow\b|\bactually\b", re.IGNORECASE)
Verdict = Literal["yes", "no", "other", "unclear"]


class Confirmed(Protocol):
    """What is read of an ``ai_ask`` here."""

    @property
    def output(self) -> list[Get | Set]: ...
    @property
    def max_rounds(self) -> int: ...
    @property
    def tolist(self) -> str | None: ...
    @property
    def when_known(self) -> str: ...
    @property
    def review(self) -> bool: ...


def known(work: Work, output: Sequence[Get | Set]) -> dict[str, Value]:
    """What is wanted and the person has told, with proof; nothing where a variable marked ``risk`` is among it."""
    items = wanted(work, output)
    if any(rules_of(work, item).risk for item in items):
        return {}
    found = {item.get: _told(work, item.get) for item in items}
    return {name: value for name, value in found.items() if value is not None}


def _told(work: Work, name: str) -> Value | None:
    """The value that can be seen under this name, where the person's own words or hand stand behind it."""
    seen = work.variables.find(name, work.chain())
    if seen is None or seen[1].value is None or seen[1].strategy == "set":
        return None
    return seen[1] if seen[1].evidence or seen[1].strategy == "form" else None


def begin(work: Work, action: Confirmed, question: str) -> Step | None:
    """What an action begins with that need not ask everything; None where it asks as usual. ``question``: its own
    literal one."""
    told = known(work, action.output) if action.when_known == "confirm" else {}
    if not told:
        return None
    frame, memory = work.frame, work.frame.memory
    left = [item.get for item in wanted(work, action.output) if item.get not in told]
    frame.round, frame.max_rounds = 1, action.max_rounds + (0 if left else 1)
    if not left:
        memory |= {"confirming": list(told), "question": _confirmation(work, action.output, told), "asking": ""}
        memory["first"] = memory["question"]
        return Step(say=(str(memory["question"]),), wait="message")
    memory |= {"held": list(told), "asking": left[0]}
    if work.model and not question:
        return None  # the model opens it, and sees what is known
    asks = question_for(work, action.output, left[0])
    said = f"{_filled(work, 'mention_known', known=_list(work, action.output, told))}\n{asks}"
    memory |= {"question": asks, "first": asks}
    return Step(say=(said,), wait="message")


def waits(work: Work) -> bool:
    """Whether the question that was put is whether something is so."""
    return bool(work.frame.memory.get("confirming"))


def heard(
    work: Work, action: Any, given: Heard, answer: Answer | None, question: Callable[[], Task | None], own: str
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Step | Heard]:
    """What comes of the reply: a step, or the words that are to be taken as the answer. ``question`` builds the
    action's task anew; ``own`` is its literal question."""
    memory = work.frame.memory
    names: list[str] = list(memory["confirming"])
    if given.repair == "skip":
        return (yield from _ends(work, action, None, question, given))
    data = answer.data if answer is not None else None
    verdict, changed, text = ("unclear", [], "") if given.repair else _verdict(work, action, names, given, data)
    if verdict == "yes":
        return (yield from _ends(work, action, answer, question, given))
    if verdict == "other":
        _forget(work, action.output, changed)
        del memory["confirming"]
        memory |= {"held": [name for name in names if name not in changed], "asking": changed[0]}
        return replace(given, text=text)
    asks = rounds.text_of(data) if data is not None and not rounds.wants_exit(data) else ""
    answer = yield from speech.whole(work, answer, shown=puts_a_question(asks))
    answer = yield from reviewing.passed(work, action, answer, question)
    rounds.record(work, rounds.ASK_METRICS, answer)
    words = rounds.text_of(answer.data if answer is not None else None)
    words = words if not rounds.wants_exit(data) and puts_a_question(words) else ""
    if verdict == "unclear" and work.frame.round >= (work.frame.max_rounds or 1):
        return (yield from _ends(work, action, None, question, given))
    work.frame.round += 1
    if verdict == "unclear":
        said = words or reask(work, str(memory["question"]), "need_yes_no", given.repair)
        return Step(say=(said,), wait="message")
    _forget(work, action.output, names)
    del memory["confirming"]
    said = words or own or question_for(work, action.output, names[0])
    memory |= {"question": said, "first": said, "asking": names[0] if len(names) == 1 or not words else ""}
    return Step(say=(said,), wait="message")


def _ends(work: Work, action: Any, answer: Answer | None, question: Callable[[], Task | None], given: Heard) -> Moves:
    """It stands as it is known."""
    answer = yield from speech.whole(work, answer, statement=True)
    answer = yield from reviewing.passed(work, action, answer, question)
    rounds.record(work, rounds.ASK_METRICS, answer)
    confirmed = given.repair is None
    why = "来访者确认了已知的内容" if confirmed else "已知的内容没有再确认"
    exit_policy.record(work, Decision(True, why, "exit_criteria", "exit_criteria_met"), work.frame.round)
    asking.settle(work, action.output, action.tolist)
    if given.repair == "skip":
        return Step(say=(work.spoken("refused"),), done=True, outcome="known")
    return asking.ended(work, rounds.text_of(answer.data if answer else None), opens=False, outcome="known")


def _verdict(
    work: Work, action: Confirmed, names: Sequence[str], given: Heard, data: Mapping[str, Any] | None
) -> tuple[Verdict, list[str], str]:
    """What the reply says, the names whose value it changes, and the words that say the new one."""
    items = [item for item in gets(action.output) if item.get in names]
    if data is not None:
        offered = data.get("values")
        changed = [item.get for item in items if _offers(work, item, offered, given.text)]
        if changed:
            return "other", changed, given.text
    plain = readers.read(VariableRules(type="boolean"), given.text, work.world.script.locale, work.world.now)
    if plain is not None:
        return ("yes" if plain.value else "no"), [], ""
    if data is not None:
        return ("yes" if rounds.wants_exit(data) else "unclear"), [], ""
    changed = [item.get for item in items if _is_another(work, item, given.text, asked=len(items) == 1)]
    if changed:
        return "other", changed, given.text
    if len(items) > 1:
        return "unclear", [], ""
    return _of_one(work, items[0], given.text)


def _of_one(work: Work, item: Get, text: str) -> tuple[Verdict, list[str], str]:
    """A reply that is no plain yes or no, read without a model: it may begin with one."""
    parts = [part.strip() for part in _CLAUSES.split(text, maxsplit=1)]
    first, rest = parts[0], parts[1] if len(parts) > 1 else ""
    lead = readers.read(VariableRules(type="boolean"), first, work.world.script.locale, work.world.now)
    rules = rules_of(work, item)
    if rules.type not in (None, "text"):
        if lead is not None:
            return ("yes" if lead.value else "no"), [], ""
        same = rules.type != "boolean" and readers.read(rules, text, work.world.script.locale, work.world.now)
        return ("yes" if same else "unclear"), [], ""  # a value that differs has been found before this
    if lead is not None and rest.strip():
        return ("yes", [], "") if lead.value and not _TURNS.search(rest) else ("other", [item.get], rest)
    said, value = readers.fold(text), readers.fold(_shown(work, lookup(work, item.get)))
    if value and value in said:
        return ("no" if _DENIES.search(text) else "yes"), [], ""
    return "other", [item.get], text


def _offers(work: Work, item: Get, offered: Any, text: str) -> bool:
    """Whether the model has found another value in these words."""
    given = offered.get(item.get) if isinstance(offered, Mapping) else None
    raw, quote = (given.get("value"), given.get("evidence")) if isinstance(given, Mapping) else (given, None)
    if raw is None or raw == "" or not isinstance(quote, str) or locate(quote, text) is None:
        return False
    return _differs(work, item, raw)


def _is_another(work: Work, item: Get, text: str, *, asked: bool) -> bool:
    """Whether rules read another value out of the words. A text is whatever is said: nothing is read out of it here."""
    rules = rules_of(work, item)
    if rules.type == "boolean" or (rules.type in (None, "text") and not rules.rules):
        return False
    reader = readers.read if asked and rules.type not in (None, "text") else readers.read_by_rules
    read = reader(rules, text, work.world.script.locale, work.world.now)
    return read is not None and _differs(work, item, read.value)


def _differs(work: Work, item: Get, raw: Any) -> bool:
    held = lookup(work, item.get)
    outcome = values.accept(rules_of(work, item), raw, lambda other: raw if other == item.get else lookup(work, other))
    return isinstance(outcome, values.Ok) and outcome.value != held


def _forget(work: Work, output: Sequence[Get | Set], names: Sequence[str]) -> None:
    """What the person says is not so is known no longer; the history keeps it. What holds many things stays."""
    for item in gets(output):
        if item.get in names and rules_of(work, item).type not in _MANY:
            scopes.write(work, item.get, None, strategy="set")


def _confirmation(work: Work, output: Sequence[Get | Set], told: Mapping[str, Value]) -> str:
    if len(told) == 1:
        name, value = next(iter(told.items()))
        return _filled(work, "confirm_known", label=_label(work, output, name), value=_shown(work, value.value))
    return _filled(work, "confirm_several", known=_list(work, output, told))


def _list(work: Work, output: Sequence[Get | Set], told: Mapping[str, Value]) -> str:
    zh = work.world.script.locale.startswith("zh")
    colon, semicolon = ("：", "；") if zh else (": ", "; ")
    return semicolon.join(f"{_label(work, output, name)}{colon}{_shown(work, v.value)}" for name, v in told.items())


def _label(work: Work, output: Sequence[Get | Set], name: str) -> str:
    words = called(work, output, name)
    most = LABEL if work.world.script.locale.startswith("zh") else 3 * LABEL
    return words if len(words) <= most else name.rpartition(".")[2].replace("_", " ")


def _shown(work: Work, value: Any) -> str:
    line = " ".join(placeholders.format_value(value, work.world.script.locale).split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _filled(work: Work, key: str, **given: str) -> str:
    """A sentence of the scheme with what it names put in, in one pass."""
    return placeholders.fill(
        work.spoken(key), given.get, lambda _: None, missing=lambda each: given.get(each.name, each.source)
    )
