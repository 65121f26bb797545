"""Whatever is written to whatever variable, by whatever strategy: what holds of every write."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.scripts import ask, phase, script, topic
from tests.table import tabled

from heartrule.engine.session.events import Unwritten, VariableOperation
from heartrule.engine.session.variables import Value
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work
from heartrule.language import values
from heartrule.language.values.merge import identity, merge
from heartrule.testing.talk import Talk

SCOPES = ("global", "session", "phase", "topic")
UPDATES = ("overwrite", "append", "merge_unique", "versioned")
FIELDS = [{"name": "名"}, {"name": "岁", "type": "integer"}, {"name": "近", "type": "boolean"}]
TYPES: dict[str, dict[str, Any]] = {
    "text": {"min_length": 1},
    "integer": {"range": [0, 10]},
    "number": {"range": [0, 1]},
    "boolean": {},
    "enum": {"options": ["好", "坏"]},
    "date": {},
    "list": {"fields": FIELDS, "key": "名"},
    "object": {"fields": FIELDS},
}
STRATEGIES = ("json", "history", "llm", "rules", "fallback", "form", "set", "passive", "correction")
EVIDENCE = "亲口说的"
"""What is declared: one variable of each type for each scope and each way of updating, with and without
``confirm_change``."""
NAMES = {
    f"{scope}_{kind}_{update}_{asked}": (scope, kind, update, asked)
    for scope in SCOPES
    for kind in TYPES
    for update in UPDATES
    for asked in ("asked", "silent")
}


def _declared(name: str) -> dict[str, Any]:
    _, kind, update, asked = NAMES[name]
    made = {"var": name, "type": kind, "update": update, **TYPES[kind]}
    return {**made, "confirm_change": True} if asked == "asked" else made


def _of(scope: str) -> list[dict[str, Any]]:
    return [_declared(name) for name, (where, *_) in NAMES.items() if where == scope]


MADE = script(
    phase("P", topic("T", ask("怎么样？", "答"), declare=_of("topic")), declare=_of("phase")),
    declare=_of("session"),
    variables=_of("global"),
)
BEGUN = Talk(MADE)
ITEMS = st.fixed_dictionaries(
    {},
    optional={
        "名": st.sampled_from(["妈妈", "爸爸", "姐姐"]),
        "岁": st.sampled_from([30, 50, "60", "很老", None]),
        "近": st.sampled_from([True, False, "也许"]),
    },
)
RAW = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 14),
    st.floats(-1, 2, allow_nan=False).map(lambda each: round(each, 1)),
    st.sampled_from(["", "好", "坏", "一般", "2024-03-05", "上周", "7", "0.5", "说不清"]),
    ITEMS,
    st.lists(ITEMS | st.just("妈妈"), max_size=4),
)
WRITES = st.lists(
    st.tuples(st.sampled_from(STRATEGIES), RAW, st.sampled_from([None, EVIDENCE])), min_size=1, max_size=6
)


def begun() -> Work:
    return Work.of(BEGUN._world())


def cells(work: Work) -> dict[Any, Value]:
    return {(where, name): value for where, cell in work.variables.cells.items() for name, value in cell.items()}


def proved(held: Value | None) -> bool:
    return held is not None and held.value is not None and (bool(held.evidence) or held.strategy == "form")


def ordered(strategy: str, evidence: str | None) -> bool:
    return strategy in ("set", "form") or (strategy == "llm" and not evidence)


def worse(held: Value, strategy: str, evidence: str | None) -> bool:
    """By the tables of docs/decisions/0072, not by the code's own words."""
    if ordered(strategy, evidence):
        return False
    return evidence is None or (strategy == "fallback" and held.strategy != "fallback")


@given(st.sampled_from(sorted(NAMES)), WRITES)
@settings(max_examples=600, deadline=None)
def test_whatever_is_written(name: str, writes: list[tuple[Any, Any, str | None]]) -> None:
    work = begun()
    scope, _, update, _ = NAMES[name]
    for strategy, raw, evidence in writes:
        before = cells(work)
        where, rules = scopes.definition(work, name)
        assert (where[0], rules is not None) == (scope, True)
        held, work.events = before.get((where, name)), []
        done = scopes.write(work, name, raw, strategy=strategy, evidence=evidence)
        after = cells(work)
        now = after.pop((where, name), None)
        before.pop((where, name), None)
        assert after == before, "only the definition's own place is written"
        told = [each for each in work.events if isinstance(each, VariableOperation)]
        kept = [each for each in work.events if isinstance(each, Unwritten)]
        assert done or kept, "what is not written is told with its reason"
        assert all(each.name == name and each.scope == scope and each.at == work.world.now for each in (*told, *kept))
        assert all(each.reason for each in kept)
        old, new = (held.value if held else None), (now.value if now else None)
        if identity(old) != identity(new):
            (event,) = told
            assert (event.old, event.value, event.strategy, event.evidence) == (old, new, strategy, evidence)
        assert rules is not None
        outcome = values.accept(rules, raw, lambda _: None) if raw is not None else None
        if raw is None:
            assert new == (None if strategy == "set" else old)
        elif isinstance(outcome, values.Bad):
            assert new == old
            assert [each.outcome for each in kept] == ["refused"]
        else:
            _fits(work, name, held, now, strategy, evidence, outcome.value)
        if new is not None and update not in ("append", "merge_unique"):
            assert isinstance(values.accept(rules, new, lambda _: None), values.Ok)


def _fits(
    work: Work, name: str, held: Value | None, now: Value | None, strategy: str, evidence: str | None, value: Any
) -> None:
    """What became of a value that its rules take."""
    _, kind, update, asked = NAMES[name]
    key, old, new = TYPES[kind].get("key"), held.value if held else None, now.value if now else None
    whole = merge(update, key, old, value, kind)
    outcomes = {each.outcome for each in work.events if isinstance(each, Unwritten)} - {"refused"}
    if held is None or not proved(held) or ordered(strategy, evidence):
        assert new == whole
        assert not outcomes
    elif update == "append":
        again = worse(held, strategy, evidence) and identity(old) == identity(value)
        assert new == (old if again else whole), "the whole once more, without proof, is no second thing said"
    elif worse(held, strategy, evidence) or asked == "asked":
        assert _nothing_is_lost(old, new, key), "a good value stays as it was"
        assert identity(new) == identity(whole) or outcomes <= {"kept", "unconfirmed"}
        if asked == "silent" or worse(held, strategy, evidence):
            assert "unconfirmed" not in outcomes or asked == "asked"
    else:
        assert identity(new) == identity(whole)


def _nothing_is_lost(old: Any, new: Any, key: str | None) -> bool:
    """Whether all that was there is there still: a plain value itself, of objects every field, of lists every item by
    its key."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(identity(new.get(name, each)) == identity(each) for name, each in old.items())
    if isinstance(old, list) and isinstance(new, list):
        known = {identity(item, key): item for item in reversed(old)}
        there = {identity(item, key): item for item in reversed(new)}
        return all(_nothing_is_lost(known[each], there[each], key) for each in known.keys() & there.keys())
    if isinstance(old, str) and isinstance(new, str) and new.startswith(f"{old}\n"):
        return True
    if isinstance(new, list) and not isinstance(old, list):
        return any(identity(each) == identity(old) for each in new)
    return identity(old) == identity(new)


@tabled("scope", SCOPES)
@tabled("kind", TYPES)
@tabled("update", UPDATES)
def test_a_guess_never_takes_the_place_of_what_was_understood(scope: str, kind: str, update: str) -> None:
    good: dict[str, Any] = {
        "text": "老是醒", "integer": 5, "number": 0.5, "boolean": False, "enum": "好", "date": "2024-03-05",
        "list": [{"名": "妈妈", "岁": 50}], "object": {"名": "妈妈", "岁": 50},
    }  # fmt: skip
    other: dict[str, Any] = {
        "text": "随便", "integer": 9, "number": 0.9, "boolean": True, "enum": "坏", "date": "2024-03-06",
        "list": [{"名": "妈妈", "岁": 51}], "object": {"名": "妈妈", "岁": 51},
    }  # fmt: skip
    work, name = begun(), f"{scope}_{kind}_{update}_silent"
    assert scopes.write(work, name, good[kind], strategy="json", evidence=EVIDENCE)
    first = scopes.lookup(work, name)
    for strategy, evidence in (("fallback", EVIDENCE), ("fallback", None), ("json", None), ("passive", None)):
        scopes.write(work, name, other[kind], strategy=strategy, evidence=evidence)  # type: ignore[arg-type]
        if update == "append" or (update == "merge_unique" and kind not in ("list", "object")):
            assert _nothing_is_lost(good[kind], scopes.lookup(work, name), "名")
        else:
            assert scopes.lookup(work, name) == first
    if update in ("overwrite", "versioned"):
        assert scopes.write(work, name, other[kind], strategy="correction", evidence=EVIDENCE)
        assert scopes.lookup(work, name) == other[kind]
        assert scopes.lookup(work, f"{name}.versions") == ([good[kind]] if update == "versioned" else None)


def test_earlier_versions_go_with_their_scope_and_are_bounded() -> None:
    work = begun()
    for number in range(30):
        scopes.write(work, "topic_text_versioned_silent", f"第{number}", strategy="json", evidence=EVIDENCE)
    assert scopes.lookup(work, "topic_text_versioned_silent") == "第29"
    assert scopes.lookup(work, "topic_text_versioned_silent.versions") == [f"第{n}" for n in range(19, 29)]
    assert scopes.lookup(work, "topic.topic_text_versioned_silent.versions")[-1] == "第28"
    scopes.close_scope(work, ("topic", work.running.key), "T")
    assert work.state.versions == {}


def test_a_field_is_guarded_like_the_whole() -> None:
    work = begun()
    name = "session_object_overwrite_silent"
    scopes.write(work, name, {"名": "妈妈", "岁": 50}, strategy="json", evidence=EVIDENCE)
    assert not scopes.write(work, f"{name}.岁", 60, strategy="fallback", evidence=EVIDENCE)
    assert not scopes.write(work, f"{name}.岁", "很老", strategy="json", evidence=EVIDENCE)
    assert scopes.write(work, f"{name}.近", True, strategy="fallback", evidence=EVIDENCE)
    assert scopes.lookup(work, name) == {"名": "妈妈", "岁": 50, "近": True}
    told = [(each.outcome, each.path, each.reason) for each in work.events if isinstance(each, Unwritten)]
    assert told == [("kept", "岁", "what is there is better proved"), ("refused", "岁", "not_number")]


def test_the_parts_of_a_composite_that_are_refused_are_told_each() -> None:
    work = begun()
    found = [{"名": "妈妈", "岁": "很老"}, "爸爸", {"名": "姐姐", "岁": 30}]
    assert scopes.write(work, "session_list_merge_unique_silent", found, strategy="json", evidence=EVIDENCE)
    assert scopes.lookup(work, "session_list_merge_unique_silent") == [{"名": "妈妈"}, {"名": "姐姐", "岁": 30}]
    told = [(each.value, each.reason) for each in work.events if isinstance(each, Unwritten)]
    assert told == [("很老", "1.岁: not_number"), ("爸爸", "2: not_object")]
