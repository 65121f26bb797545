"""W442: a field of an action that is accepted where nothing reads it: ``timeout`` of what never waits, ``fallback``
where nothing stands in for a model's words, a ``card`` of what says nothing, ``verify`` of what finds nothing out, what
only a question of one thing reads in a stretch of talk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action, Get

_NEVER_WAITS = Bilingual("这个动作从不等人", "the action never waits for the person")
_NOT_FILLED = Bilingual("这张表只给人看，或者留给咨询师", "the form is only looked at, or left to the counsellor")
_NOTHING_INSTEAD = Bilingual("话不由模型说，没有要替换的", "no model speaks here, so nothing stands in for it")
_SAYS_NOTHING = Bilingual(
    "这个动作什么也不说，没有话可以放在旁边", "the action says nothing that it could stand beside"
)
_FINDS_NOTHING = Bilingual("没有 output，没有要弄清的", "without an output there is nothing to find out")
_IN_A_STRETCH = Bilingual(
    "要问清几样，由各项自己的 question 和 rounds 管", "in a stretch each item's own question and rounds decide"
)
_TO_THE_WORD = Bilingual(
    "literal 照各项的 question 依次问，由不到它", "literal puts each item's question in turn, and asks this of nobody"
)
_NO_ROUNDS = Bilingual("不分轮讲解，说一次就走", "without max_rounds or exit_criteria it is said once")
_AT_ONCE = Bilingual("现在就做，不等哪个话题", "the technique runs at once, before no topic")
_LATER = Bilingual("以后才做，这个话题照常往下走", "the technique runs later, and the topic goes on")
BESIDE = ("card", "chart", "audio")
_OF_ONE_THING = ("exit", "style", "fallback", "max_rounds")
_OF_A_LEAD = ("exit_criteria", "exit_sources", "min_rounds", "follow", "may_use", "question", "verify")
_EXPLAINING = ("max_rounds", "exit_criteria")
Idle = Iterator[tuple[str, Bilingual]]


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        for key, why in (*_of_any(action), *_of_asking(action), *_of_its_own(action)):
            place = view.project.at(action, key)
            yield finding("W442", place, mend=view.without(place), key=key, why=why)


def _of_any(action: Action) -> Idle:
    traits = action.traits
    if action.timeout and not action.may_wait():
        yield "timeout", _NEVER_WAITS
    spoken_for = traits.model in ("words", "picture") and traits.is_leaf and traits.asks != "own" and not traits.silent
    if action.fallback and not spoken_for and traits.offers != "choice":
        yield "fallback", _NOTHING_INSTEAD
    for key in BESIDE:
        if _is_silent(action) and action.peek(key) is not None:
            yield key, _SAYS_NOTHING


def _is_silent(action: Action) -> bool:
    parts = action.peek("actions") or ()
    return action.traits.silent or (bool(parts) and all(each.traits.silent for each in parts))


def _of_asking(action: Action) -> Idle:
    if not action.traits.asks:
        return
    wanted = [item for item in action.peek("output") or () if isinstance(item, Get)]
    if not wanted:
        yield from _written(action, ("verify", "when_known", "required"), _FINDS_NOTHING)
    if action.traits.asks == "own" and not wanted and action.memory is not None and action.memory.write is not None:
        yield "memory", _FINDS_NOTHING
    if action.traits.asks == "model" and len(wanted) > 1 and any(item.question for item in wanted):
        written = set(action.model_fields_set)
        yield from _written(
            action, [key for key in _OF_ONE_THING if key != "max_rounds" or "rounds" not in written], _IN_A_STRETCH
        )
        if action.peek("literal"):
            yield from _written(action, _OF_A_LEAD, _TO_THE_WORD)


def _of_its_own(action: Action) -> Idle:
    traits = action.traits
    if traits.offers == "form" and not action.may_wait():
        yield from _written(action, ("required",), _NOT_FILLED)
    if traits.says == "model" and all(action.peek(key) is None for key in _EXPLAINING):
        yield from _written(action, ("exit_sources",), _NO_ROUNDS)
    if traits.calls and action.peek("timing") == "now":
        yield from _written(action, ("to",), _AT_ONCE)
    elif traits.calls:
        yield from _written(action, ("resume",), _LATER)


def _written(action: Action, keys: Iterable[str], why: Bilingual) -> Idle:
    return ((key, why) for key in keys if key in action.model_fields_set)
