"""``<<`` and anchors: what is taken over, where it stands, within which bounds, and that formatting leaves it be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.material import ACTIONS, at, codes, linted, loaded, meaning, only, session

from heartrule.language.formatting import formatted
from heartrule.language.texts.merge_keys import taken_over
from heartrule.language.texts.tree import trees
from heartrule.language.yaml import parse
from heartrule.testing.talk import Talk, compile_text

SHARED = """\
x-shared:
  ask: &ask  # asked twice at most
    type: ai_ask
    max_rounds: 2
"""
TALK = SHARED + session("- <<: *ask\n  content: 问称呼\n  question: 怎么称呼你？\n- {type: say, content: 好}")


def fmt(text: str) -> str:
    after, errors = formatted(text.encode(), "script.yaml", ACTIONS)
    assert errors == []
    assert formatted(after, "script.yaml", ACTIONS) == (after, [])
    assert meaning(loaded(after)) == meaning(loaded(text))
    return after.decode()


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("<<: *a", {"k": 1, "l": 2}),
        ("<<: *a\n  k: 3", {"k": 3, "l": 2}),
        ("k: 3\n  <<: *a", {"k": 3, "l": 2}),
        ("<<: [*b, *a]", {"k": 9, "l": 2}),
        ("<<: [*a, *b]", {"k": 1, "l": 2}),
        ("<<: {k: 7}", {"k": 7}),
        ("<<: *c\n  m: 1", {"k": 1, "l": 5, "m": 1}),
        ("<<: []\n  m: 1", {"m": 1}),
        ("<<: 好\n  m: 1", {"<<": "好", "m": 1}),
        ("<<: [*a, 1]", {"<<": [{"k": 1, "l": 2}, 1]}),
        ("'<<': *a", {"<<": {"k": 1, "l": 2}}),
    ],
)
def test_what_is_taken_over(text: str, data: dict[str, Any]) -> None:
    parsed = parse(f"a: &a {{k: 1, l: 2}}\nb: &b {{k: 9}}\nc: &c {{<<: *a, l: 5}}\nd:\n  {text}\n", "s.yaml")
    assert parsed.findings == []
    assert parsed.documents[0]["d"] == data


def test_the_first_one_counts_and_what_is_there_stays() -> None:
    assert taken_over({"<<": [{"a": 1, "b": 1}, {"b": 2, "c": 2}], "a": 0}) == {"b": 1, "c": 2}
    assert taken_over({"<<": "a"}) is None


def test_it_stands_where_it_is_taken_over() -> None:
    parsed = parse("a: &a\n  k: {m: 1}\nd:\n  n: 1\n  <<: *a\n", "s.yaml")
    assert parsed.map.key((0, "d", "k"))[:2] == (5, 3)
    assert parsed.map.value((0, "d", "k"))[:2] == (5, 7)
    assert parsed.map.key((0, "d", "k", "m"))[:2] == (5, 3)
    assert parsed.map.key((0, "a", "k", "m"))[:2] == (2, 7)


def test_twice_in_one_place_is_told() -> None:
    text = "a: &a {k: 1}\nd:\n  <<: *a\n  <<: *a\n"
    assert at(parse(text, "s.yaml").findings) == [("E007", 4)]


def test_bounds_hold() -> None:
    rows = ["x0: &x0 {k0: 1, l0: 1}"]
    rows += [f"x{n}: &x{n} {{<<: [*x{n - 1}, *x{n - 1}], k{n}: 1}}" for n in range(1, 30)]
    assert codes(parse("\n".join(rows), "s.yaml").findings) == ["E010"]
    rows = ["x0: &x0 {k0: 1}", *(f"x{n}: &x{n} {{<<: *x{n - 1}, k{n}: 1}}" for n in range(1, 2_000))]
    assert codes(parse("\n".join(rows), "s.yaml").findings) == ["E009"]
    assert codes(parse("a: &a {<<: *a}", "s.yaml").findings) == ["E013"]


def test_the_tree_sees_through_it() -> None:
    (tree,) = trees("a: &a {k: 1}\nb: &b {<<: *a, l: 2}\nc: {<<: [*b, {m: 3}], n: 4}\nd: {<<: 好}\ne: {<<: *e}\n")
    entry = tree.get("c")
    assert entry is not None
    node = entry.value
    assert [found.value.value for name in "klmn" if (found := node.given(name))] == [1, 2, 3, 4]
    assert node.get("k") is None
    plain = tree.get("d")
    assert plain is not None
    assert plain.value.given("k") is None


def test_actions_share_what_they_have_in_common() -> None:
    file = loaded(TALK)
    assert [each for each in file.findings if each.stops] == []
    assert file.sessions[0].phases[0].steps[0].actions[0].peek("max_rounds") == 2
    talk = Talk(compile_text(TALK))
    assert talk.said == ["怎么称呼你？"]
    talk.play(["小林"] * 3)
    assert talk.ended


def test_what_is_in_our_spelling_is_left_as_it_is() -> None:
    assert fmt(TALK) == TALK
    whole = session("- &hello {type: say, content: 你好}\n- *hello\n- <<: *hello\n  content: 再见")
    assert fmt(whole) == whole
    assert len(loaded(whole).sessions[0].phases[0].steps[0].actions) == 3


def test_what_is_taken_over_is_read_as_what_it_is_used_for() -> None:
    text = SHARED.replace("type: ai_ask", "action_type: ai_ask  # 问") + session(
        "- <<: *ask\n  question_template: 怎么称呼你？\n  target_variable: 称呼\n- {type: say, content: '{称呼}'}"
    )
    after = fmt(text)
    assert "    type: ai_ask  # 问\n" in after
    assert "question: 怎么称呼你？" in after
    assert "- get: 称呼" in after
    assert [each for each in linted(after) if each.stops] == []


def test_an_alias_is_read_as_what_it_is_used_for() -> None:
    text = "x-asked: &asked [{variable: 称呼, default: 无}]\n" + session(head="variables: *asked")
    assert "[{var: 称呼, value: 无}]" in fmt(text)


def test_what_is_wrong_with_it_is_told_where_it_is_taken_over() -> None:
    text = SHARED.replace("max_rounds: 2", "max_rounds: 0") + session("- <<: *ask\n  content: 问")
    found = only([each for each in linted(text) if each.stops])
    assert text.split("\n")[found.line - 1].strip() == "- <<: *ask"
    assert found.mend is None or not found.mend.safe


def test_settings_that_would_be_replaced_and_not_joined_are_refused() -> None:
    text = "x-a: &a\n  action_type: ai_ask\n  config: {max_rounds: 1}\n" + session("- <<: *a\n  config: {content: 问}")
    found = only(loaded(text).findings, "E192")
    assert text.split("\n")[found.line - 1].strip() == "config: {content: 问}"


@pytest.mark.parametrize("name", ["x-defaults", "x-", "x-公用"])
def test_what_is_set_aside_is_nothing_else(name: str) -> None:
    text = f"{name}:\n  - &a {{id: hello}}\n  - 随便\n" + session("- {<<: *a, type: say, content: 你好}")
    assert linted(text) == []


@pytest.mark.parametrize("name", ["defaults", "templates", ".shared", "_anchors", "公共"])
def test_elsewhere_it_is_set_aside_under_other_names(name: str) -> None:
    text = f"{name}:\n  a: &a {{fallback: 好}}\n" + session("- {<<: *a, type: say, content: 你好}")
    assert fmt(text).startswith(f"x-{name.lstrip('._')}:\n")
    assert codes(loaded(text.replace("&a ", "").replace("<<: *a, ", "")).findings) == ["E101"]
