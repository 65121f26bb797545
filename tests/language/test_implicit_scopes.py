"""The scope of a name that is written without a declaration."""

from __future__ import annotations

import pytest
from tests.language.material import codes, linted, loaded, only, session, skill
from tests.table import tabled

from heartrule.language.compiling.implicit_scopes import Guess, inferred
from heartrule.language.nodes import Scope


def guesses(text: str) -> dict[str, Guess]:
    file = loaded(text)
    assert [each for each in file.findings if each.stops] == []
    return inferred(file.sessions[0], file.skills, file.variables)


def scopes(text: str) -> dict[str, Scope]:
    return {name: guess.scope for name, guess in guesses(text).items()}


def flow(*phases: list[tuple[str, str]]) -> str:
    """Phases of topics; a topic is its own part and its actions."""
    text = "sessions:\n  - session: a\n    phases:\n"
    for number, topics in enumerate(phases):
        text += f"      - phase: p{number}\n        steps:\n"
        for index, (part, actions) in enumerate(topics):
            text += f"          - topic: t{number}{index}\n"
            text += "".join(f"            {line}\n" for line in part.split("\n") if line)
            text += "            actions:\n" + "".join(f"              {line}\n" for line in actions.split("\n"))
    return text


ASK = "- {type: ask, content: 问, output: [{get: x}]}"
READ = "- {type: say, content: '{x}'}"
TEST = "- {type: say, content: 你好, condition: x > 1}"
HI = "- {type: say, content: 你好}"


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("全局称呼", "global"),
        ("用户基础信息", "global"),
        ("会话目标", "session"),
        ("累积分", "session"),
        ("心情", "topic"),
        ("全局会话", "global"),
    ],
)
def test_by_name(name: str, scope: Scope) -> None:
    assert scopes(session(f"- {{type: set_var, var: {name}, value: 1}}")) == {name: scope}


@pytest.mark.parametrize("scope", ["global", "session", "phase", "topic"])
def test_an_explicit_one_wins(scope: Scope) -> None:
    text = flow([("", f"- {{type: ask, content: 问, output: [{{get: 会话目标, scope: {scope}}}]}}")])
    assert scopes(text) == {"会话目标": scope}
    assert scopes(flow([("", f"- {{type: set_var, var: 全局x, value: 1, scope: {scope}}}")])) == {"全局x": scope}


def test_a_name_that_says_its_scope() -> None:
    assert scopes(flow([("", "- {type: set_var, var: session.x, value: 1}")])) == {"x": "session"}


@tabled(
    ("text", "scope"),
    [
        (flow([("", ASK)]), "topic"),
        (flow([("", f"{ASK}\n{READ}")]), "topic"),
        (flow([("done_when: x > 1", ASK)]), "topic"),
        (flow([("repeat: {until: x > 1}", ASK)]), "topic"),
        (flow([("transitions: [{to: end, condition: x > 1}]", ASK)]), "topic"),
        (flow([("", ASK), ("", READ)]), "phase"),
        (flow([("", ASK), ("", TEST)]), "phase"),
        (flow([("", ASK), ("condition: x > 1", HI)]), "phase"),
        (flow([("", ASK), ("goal: '{x}'", HI)]), "phase"),
        (flow([("", ASK), ("for_each: {in: x, as: y}", HI)]), "phase"),
        (flow([("", ASK), ("done_when: x > 1", HI)]), "phase"),
        (flow([("", READ), ("", ASK)]), "phase"),
        (flow([("", ASK)], [("", READ)]), "session"),
        (flow([("", ASK)], [("condition: x > 1", HI)]), "session"),
        (flow([("", ASK), ("", READ)], [("", READ)]), "session"),
        (flow([("", ASK), ("", HI)], [("", HI), ("", TEST)]), "session"),
        (flow([("", ASK), ("", "- {type: say, content: '{session.x}'}")]), "session"),
        (flow([("", ASK), ("", "- {type: say, content: '{phase.x}'}")]), "phase"),
    ],
)
def test_readers_elsewhere_widen_it(text: str, scope: Scope) -> None:
    assert scopes(text) == {"x": scope}
    widened = [each for each in linted(text) if each.code == "W233"]
    assert len(widened) == (0 if scope == "topic" else 1)


def test_a_topic_that_asks_for_itself_is_no_reader() -> None:
    both = f"{ASK}\n{READ}"
    assert scopes(flow([("", both), ("", both)])) == {"x": "topic"}
    assert scopes(flow([("", both)], [("", both)])) == {"x": "topic"}


def test_a_topic_that_reads_before_it_asks_is_one() -> None:
    assert scopes(flow([("", ASK), ("", f"{READ}\n{ASK}")])) == {"x": "phase"}


def test_a_topic_that_declares_it_is_no_reader() -> None:
    text = flow([("", ASK), ("declare: [{var: x}]", READ)])
    assert scopes(text) == {"x": "topic"}


def test_declared_names_are_left_alone() -> None:
    assert scopes(session(ASK, head="declare: [{var: x}]")) == {}
    assert scopes(session(ASK, phase="declare: [{var: x}]")) == {}
    assert scopes(session(ASK, topic="declare: [{var: x}]")) == {}
    assert scopes(session(ASK, after="global: [{var: x}]")) == {}


def test_an_inner_declaration_that_says_a_wider_scope_counts_there() -> None:
    text = flow([("declare: [{var: x, scope: session}]", ASK)], [("", ASK)])
    assert scopes(text) == {}


def test_what_only_the_session_reads() -> None:
    assert scopes(session(ASK, head="instructions: '{x}'")) == {"x": "session"}
    assert scopes(session(ASK, phase="goal: '{x}'")) == {"x": "phase"}
    assert scopes(session(ASK, phase="milestone: '{x}'")) == {"x": "phase"}
    assert scopes(session(ASK, phase="transitions: [{to: end, condition: x > 1}]")) == {"x": "phase"}
    assert scopes(session(ASK, phase="condition: x > 1")) == {"x": "session"}


def test_items_of_a_list_are_no_names() -> None:
    text = session(
        "- {type: ask, content: 问, output: [{get: 成员.职业}]}",
        head="declare: [{var: 家人, type: list}]",
        topic="for_each: {in: 家人, as: 成员}",
    )
    assert scopes(text) == {}


@pytest.mark.parametrize(
    "action",
    [
        "{type: set_var, var: x, value: 1}",
        "{type: user_option, var: x, choices: [{value: a, label: b}]}",
        "{type: ai_think, content: a, decide: {var: x, options: [a], default: a}}",
        "{type: ask, content: a, output: [{set: x, value: 1}]}",
        "{type: ai_ask, content: a, tolist: x}",
        "{type: use_skill, skill: s, output: [{get: y, set: x}]}",
    ],
)
def test_every_way_of_writing(action: str) -> None:
    assert scopes(flow([("", f"- {action}"), ("", READ)])) == {"x": "phase"}


def test_skills_keep_theirs_to_themselves() -> None:
    text = session() + skill(f"{ASK}\n- {{type: set_var, var: y, value: 1, scope: session}}", head="returns: [x]")
    assert scopes(text) == {"y": "session"}
    assert scopes(session() + skill("- {type: set_var, var: 全局z, value: 1}")) == {"全局z": "global"}
    own = skill("- {type: set_var, var: 全局z, value: 1}", head="parameters: [{name: 全局z}]")
    assert scopes(session() + own) == {}


def test_lint_says_who_reads_it() -> None:
    found = only(linted(flow([("", ASK), ("", READ)])), "W233")
    assert found.line == 8
    assert "11" in found.message.zh
    assert "phase" in found.message.en


def test_of_several_writes_the_widest_counts() -> None:
    text = flow([("", ASK), ("", "- {type: set_var, var: x, value: 1, scope: session}")])
    assert scopes(text) == {"x": "session"}
    assert codes(linted(text)) == []


def test_why_is_remembered() -> None:
    assert guesses(flow([("", ASK), ("", READ)]))["x"].why == "read"
    assert guesses(flow([("", ASK)]))["x"].why == "own"
    assert guesses(session("- {type: set_var, var: 会话x, value: 1}"))["会话x"].why == "name"
