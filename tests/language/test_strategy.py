"""``strategy`` of a topic and of a technique: prose, or a mapping."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.material import SAY, loaded, only, session, skill

from heartrule.language.nodes import Steps, TopicStrategy


def steps(text: str) -> Steps:
    found = loaded(text)
    assert found.findings == []
    return found.skills[0] if found.skills else found.sessions[0].phases[0].steps[0]


@pytest.mark.parametrize("whole", [lambda text: session(SAY, topic=text), lambda text: skill(SAY, head=text)])
def test_prose_and_mapping(whole: Any) -> None:
    assert steps(whole("strategy: 先问情绪")).strategy == "先问情绪"
    held = steps(whole("strategy: {notes: 慢, retry: comfort, max_retries: 3}")).strategy
    assert isinstance(held, TopicStrategy)
    assert (held.notes, held.retry, held.max_retries, held.min_completeness_requirement) == ("慢", "comfort", 3, "")
    empty = steps(whole("strategy: {}")).strategy
    assert isinstance(empty, TopicStrategy)
    assert (empty.retry, empty.max_retries) == (None, 2)


BAD = [
    ("strategy: {retry: nag}", "E104"),
    ("strategy: {retry: comfort, max_retries: -1}", "E105"),
    ("strategy: {retry: comfort, max_retries: 11}", "E105"),
    ("strategy: {max_retries: often}", "E103"),
    ("strategy: {note: 慢}", "E101"),
    ("strategy: [慢]", "E020"),
    ("strategy:\n- 慢", "E103"),
    ("strategy:", "E106"),
]


@pytest.mark.parametrize(("text", "code"), BAD)
def test_what_cannot_be(text: str, code: str) -> None:
    found = only(loaded(session(SAY, topic=text)).findings)
    assert (found.code, found.line) in ((code, 7), (code, 8))


def test_a_misspelt_key_suggests_the_near_one() -> None:
    found = only(loaded(session(SAY, topic="strategy: {max_retry: 2}")).findings)
    assert "max_retries" in found.message.zh + found.hint.zh
