"""``model`` and ``review`` of an action: read, exposed, and told where they do nothing."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, at, linted, loaded, only, session

from heartrule.language.nodes import Action


def first(text: str) -> Action:
    file = loaded(text)
    assert not [found for found in file.findings if found.stops]
    return file.sessions[0].phases[0].steps[0].actions[0]


@pytest.mark.parametrize("tier", ["fast", "balanced", "quality"])
def test_a_tier_is_read(tier: str) -> None:
    action = first(session(f"- {{type: ai_say, content: 说, model: {tier}, review: true}}"))
    assert (action.model, action.review) == (tier, True)


def test_neither_is_written() -> None:
    action = first(session("- {type: ai_say, content: 说}"))
    assert (action.model, action.review) == (None, False)


def test_every_action_type_has_them() -> None:
    for kind in ACTIONS.values():
        assert {"model", "review"} <= set(kind.model_fields)


def test_another_tier_is_none() -> None:
    found = only(linted(session("- {type: ai_say, content: 说, fallback: 好, model: best}")))
    assert (found.code, found.line) == ("E104", 8)
    assert "quality" in found.message.en + found.hint.en


def test_review_is_yes_or_no() -> None:
    assert only(linted(session("- {type: ai_say, content: 说, fallback: 好, review: 语气}"))).code == "E103"


SILENT = [
    ("say", "content: 你好", "model: fast"),
    ("say", "content: 你好", "review: true"),
    ("set_var", "var: a, value: 1", "review: true"),
    ("user_say", "content: 好的", "review: true"),
    ("user_option", "var: a, choices: [{value: 好, label: 好}]", "review: true"),
    ("ai_think", "content: 想一想", "review: true"),
]


@pytest.mark.parametrize(
    ("kind", "fields"), [("user_say", "content: 好的"), ("user_option", "var: a, choices: [{value: 好, label: 好}]")]
)
def test_where_typed_words_are_read_a_tier_is_chosen(kind: str, fields: str) -> None:
    found = linted(session(f"- {{type: {kind}, {fields}, model: quality}}"))
    assert [each.code for each in found if each.code == "W241"] == []


@pytest.mark.parametrize(("kind", "fields", "key"), SILENT, ids=[f"{kind} {key}" for kind, _, key in SILENT])
def test_where_it_does_nothing(kind: str, fields: str, key: str) -> None:
    found = only(linted(session(f"- {{type: {kind}, {fields}, {key}}}")), "W241")
    assert (found.line, found.stops) == (8, False)
    assert f"`{key.partition(':')[0]}`" in found.message.zh
    assert f"`{kind}`" in found.message.en


SPEAKING = [
    ("ai_say", "content: 说, fallback: 好", "review: true"),
    ("ai_ask", "content: 问, question: 好吗？", "review: true"),
    ("ask", "content: 好吗？", "review: true"),
    ("ai_think", "content: 想一想", "model: quality"),
    ("say", "content: 你好", "review: false"),
]


@pytest.mark.parametrize(("kind", "fields", "key"), SPEAKING, ids=[f"{kind} {key}" for kind, _, key in SPEAKING])
def test_where_it_does_something(kind: str, fields: str, key: str) -> None:
    assert at(linted(session(f"- {{type: {kind}, {fields}, {key}}}"))) == []
