"""Whatever is sent of a form, in whatever order: nothing raises, nothing counts twice, no danger is passed over."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.scripts import check, faults
from tests.engine.test_forms import in_crisis, send, talk

from heartrule.engine.session.state import State
from heartrule.testing.talk import Talk

FAST = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
ANSWERS = st.sampled_from([0, 1, 2, None, "1", "没有", -1, 3.5, [], [1], True, "", "2026-02-30", "2026-11-01"])
WORDS = st.sampled_from(["累", "我不想活了", "活着没意思", "长" * 40, "{total}", "\x00", "", None, 7])
VALUES = st.fixed_dictionaries(
    {}, optional={"q1": ANSWERS, "q9": ANSWERS, "since": ANSWERS, "note": WORDS, "other": ANSWERS}
)
MOVE = st.tuples(st.sampled_from(["form_draft", "form_draft", "form_submit", "form_cancel"]), VALUES) | st.tuples(
    st.sampled_from(["say", "wait", "key"]), st.sampled_from(["跳过", "好的", "我不想活了", "f1", "f99", ""])
)


def move(held: Talk, kind: str, what: Any) -> None:
    if kind == "say":
        held.say(what)
    elif kind == "wait":
        held.wait(minutes=7)
    elif kind == "key":
        send(held, "form_submit", what, q1=1, q9=0)
    else:
        send(held, kind, **what)


def tells(kind: str, what: Any) -> int | None:
    """What item 9 was answered with in this move, where that is more than never."""
    if not kind.startswith("form_"):
        return None
    raw = what.get("q9")
    return 1 if raw in (1, "1", [1]) else 2 if raw == 2 else None


@FAST
@given(st.lists(MOVE, max_size=10), st.booleans())
def test_any_moves(moves: list[tuple[str, Any]], required: bool) -> None:
    held, acted = talk(required=required, timeout="10m", on_timeout="continue"), None
    for kind, what in moves:
        if held.ended:
            break
        safe = not in_crisis(held)
        held.state = State.model_validate_json(held.state.model_dump_json())
        move(held, kind, what)
        check(held)
        told = tells(kind, what)
        if safe and told is not None and told != acted:
            assert held.state.running is not None
            assert held.state.running.project == "safety"
        if kind.startswith("form_") and "q9" in what:
            acted = told
    counted = Counter(event.key for event in held.happened("form_submitted"))
    assert all(times == 1 for times in counted.values())
    assert not faults(held)
