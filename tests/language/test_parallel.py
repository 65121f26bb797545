"""Blocks of actions: their parts are actions like any others, with findings at their own places."""

from __future__ import annotations

import pytest
from tests.language.material import at, linted, loaded, session


def block(*actions: str) -> str:
    return session("- type: parallel_actions\n  actions:\n" + "\n".join(f"    - {action}" for action in actions))


SAY = "{type: say, content: 好}"


@pytest.mark.parametrize(
    ("second", "code"),
    [
        ("{type: use_skill, skill: a}", "E296"),
        ("{type: show_form, form: a}", "E296"),
        ("{type: parallel_actions, actions: [{type: say, content: 好}]}", "E296"),
        ("{type: user_say, content: 好}", "E297"),
        ("{type: ai_say, content: 讲, fallback: 好}", "E297"),
        ("{type: ai_say, content: 讲, fallback: 好, require_acknowledgment: false, max_rounds: 2}", "E297"),
        ("{type: sing, content: 好}", "E107"),
        ("{type: say, words: 好}", "E102"),
        ("{type: ask, content: 问, timeout: 很久}", "E228"),
    ],
)
def test_what_cannot_stand_in_a_block(second: str, code: str) -> None:
    found = at(linted(block("{type: ask, content: 今天好吗？}", second)))
    assert (code, 11) in found


def test_what_can() -> None:
    quiet = "{type: ai_say, content: 讲, fallback: 好, require_acknowledgment: false}"
    assert not linted(block(SAY, quiet, "{type: ask, content: 今天好吗？}"))


def test_what_is_written_in_a_block_is_known_behind_it() -> None:
    text = block("{type: ask, content: 叫什么？, output: [{get: 名}]}", SAY)
    assert not loaded(text).findings
    assert not [found for found in linted(text + "              - {type: say, content: '{名}'}\n") if found.stops]


def test_a_block_has_something_in_it() -> None:
    assert at(linted(session("- type: parallel_actions\n  actions: []"))) == [("E105", 9)]
