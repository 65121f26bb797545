"""``time_budget`` of phases, topics and techniques: what loads, what lint says, and what the schema knows of it."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, SAY, at, codes, linted, loaded, session, skill

from heartrule.language.schema import json_schema

GOOD = ["30s", "5m", "2h", "24h", "1s", "90s"]
BAD = ["5", "0s", "25h", "-5m", "''", "9999999s"]


@pytest.mark.parametrize("length", GOOD)
def test_good_ones(length: str) -> None:
    assert linted(session(SAY, phase=f"time_budget: {length}")) == []
    assert linted(session(SAY, topic=f"time_budget: {length}")) == []
    assert linted(skill(SAY, head=f"time_budget: {length}")) == []


@pytest.mark.parametrize("length", BAD)
def test_bad_ones(length: str) -> None:
    assert at(linted(session(SAY, phase=f"time_budget: {length}"))) == [("E252", 5)]
    assert at(linted(session(SAY, topic=f"time_budget: {length}"))) == [("E252", 7)]
    assert codes(linted(skill(SAY, head=f"time_budget: {length}"))) == ["E252"]


def test_it_is_read_as_it_was_written() -> None:
    (read,) = loaded(session(SAY, phase="time_budget: 10m", topic="time_budget: 5m")).sessions
    assert read.phases[0].time_budget == "10m"
    assert read.phases[0].steps[0].time_budget == "5m"


def test_a_session_has_none() -> None:
    assert codes(linted(session(SAY, head="time_budget: 1h"))) == ["E101"]


@pytest.mark.parametrize(
    ("phase", "topic", "expected"),
    [
        ("10m", "10m", []),
        ("600s", "10m", []),
        ("10m", "601s", ["W244"]),
        ("oops", "10m", ["E252"]),
        ("10m", "oops", ["E252"]),
    ],
)
def test_topics_fit_into_their_phase(phase: str, topic: str, expected: list[str]) -> None:
    found = linted(session(SAY, phase=f"time_budget: {phase}", topic=f"time_budget: {topic}"))
    assert codes(found) == expected


def test_the_lengths_are_told() -> None:
    (found,) = linted(session(SAY, phase="time_budget: 10m", topic="time_budget: 601s"))
    assert "601s" in found.message.zh
    assert "10m" in found.message.en


def test_the_schema_knows_it() -> None:
    defs = json_schema(ACTIONS)["$defs"]
    for node in ("Phase", "Topic", "Skill"):
        assert "time_budget" in defs[node]["properties"]
    assert "time_budget" not in defs["Session"]["properties"]


NAMES = "topic.left < 60 and phase.left < 60 and topic.elapsed > 1 and topic.planned contains 'a'"


def test_the_names_of_the_topic_context_are_known() -> None:
    condition = f"{NAMES} and topic.completed contains 'a' and topic.skipped contains 'b' and topic.suspended != null"
    assert linted(session(f'- {{type: say, content: 你好, condition: "{condition}"}}')) == []


def test_a_name_that_is_none_of_them_is_told() -> None:
    assert codes(linted(session("- {type: say, content: 你好, condition: topic.remaining < 60}"))) != []
