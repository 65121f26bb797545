"""What people write beside a question, at the top of a file and of a rule, where it belongs elsewhere here."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.material import awareness, codes, linted, loaded, only, session
from tests.language.test_moved_texts import actions, rewritten

from heartrule.language.yaml import parse


@pytest.mark.parametrize("kind", ["ai_ask", "ask"])
@pytest.mark.parametrize(
    "choices",
    [
        "[轻, 重]",
        "[{A: 轻}, {B: 重}]",
        "{A: 轻, B: 重}",
        "[{value: A, label: 轻}, {value: B, label: 重}]",
        "\n    - A: 轻  # 说明\n    - B: 重",
    ],
)
@pytest.mark.parametrize("target", ["target_variable: 强度", "output: [{get: 强度}]", "output:\n    - get: 强度"])
def test_choices_of_a_question_are_the_options_of_its_answer(kind: str, choices: str, target: str) -> None:
    text = f"- type: {kind}\n  content: 多强？\n  choices: {choices}\n  {target}"
    (made,) = actions(text)
    assert made["output"] == [{"get": "强度", "options": ["轻", "重"]}]
    assert made.get("style") == ("choice" if kind == "ai_ask" else None)
    assert "choices" not in made


def test_choices_of_several_answers_belong_to_none() -> None:
    text = session("- {type: ask, content: 问, output: [{get: a}, {get: b}], choices: [轻, 重]}")
    assert only(loaded(text).findings, "E108").message.en.startswith("The action ask has no key “choices”")


@pytest.mark.parametrize("rest", ["", "    extraction_prompt: 次数\n"])
def test_a_type_beside_a_variable_is_the_variable_s(rest: str) -> None:
    config = f"    question_template: 醒了几次？\n    target_variable: 次数\n{rest}    type: number"
    (made,) = actions(f"- action_type: ai_ask\n  config:\n{config}")
    meant: dict[str, Any] = {"get": "次数", "type": "number"}
    assert made["output"] == [{**meant, "define": "次数"} if rest else meant]
    assert made["type"] == "ai_ask"


def test_what_is_defined_is_found_out_and_not_set() -> None:
    (made,) = actions("- think: 想\n  output:\n  - set: 种类\n    define: 哪一种\n  - {set: 另一个, value: 1}")
    assert made["output"] == [{"get": "种类", "define": "哪一种"}, {"set": "另一个", "value": 1}]


def test_a_call_sets_what_it_sets() -> None:
    text = session("- {type: use_skill, skill: a, output: [{set: b, define: 哪一种}]}")
    assert "E101" in codes(loaded(text).findings)


RULES = "rules:\n- rule: r\n  check_time: always\n  if: 哭了\n  reply: 我在。\n"
PHASES = "phases:\n- stage: p\n  steps:\n  - topic: t\n    actions:\n    - say: |\n        再见\n        了\n"


@pytest.mark.parametrize(
    "text", [f"session: s\n# 一\n{RULES}# 二\n{PHASES}", f"session: s\n{PHASES}# 一\n{RULES}# 二\n"]
)
def test_a_session_s_keys_may_stand_apart_at_the_top(text: str) -> None:
    after = rewritten(text)
    (document,) = parse(after, "a").documents
    (made,) = document["sessions"]
    assert made["session"] == "s"
    assert made["phases"][0]["steps"][0]["actions"] == [{"type": "say", "content": "再见\n了\n"}]
    assert document["awareness"][0]["then"] == [{"directive": "FEEDBACK", "text": "我在。"}]
    assert after.count("# 一") == after.count("# 二") == 1


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("每次用户说话后", {"at": ["answer"]}),
        ("用户每次说话后", {"at": ["answer"]}),
        ("来访者回答后", {"at": ["answer"]}),
        ("每轮", {"at": ["answer"]}),
        ("每轮对话后", {"at": ["answer"]}),
        ("每次对话之后", {"at": ["answer"]}),
        ("every_message", {"at": ["answer"]}),
        ("goal", {"at": ["topic_end"]}),
        ("话题开始时", {"at": ["topic_start"]}),
        ("每个话题结束时", {"at": ["topic_end"]}),
        ("话题结束后", {"at": ["topic_end"]}),
        ("每5分钟", {"every": "5m"}),
        ("每隔五分钟", {"every": "5m"}),
        ("每 3 轮", {"every": "3 turns"}),
        ("三轮", {"every": "3 turns"}),
        ("every 10m", {"every": "10m"}),
    ],
)
def test_when_a_rule_watches_may_be_said_in_words(written: str, meant: dict[str, Any]) -> None:
    after = rewritten(f"rules:\n- rule: r\n  check_time: {written}\n  if: 哭了\n  reply: 我在。\n")
    made = parse(after, "a").documents[0]["awareness"][0]
    assert {key: made[key] for key in ("at", "every") if key in made} == meant
    assert made["priority"] == ("P2" if "every" in meant else "P1")


@pytest.mark.parametrize("written", ["有空时", "用户", "话题", "每天", "说话", "每次哭了以后"])
def test_other_words_are_no_time(written: str) -> None:
    text = awareness(head=f"check_time: {written}")
    assert "E193" in codes(loaded(text).findings)


def test_a_finding_names_the_key_that_was_written() -> None:
    text = session("- {type: ai_say, content: 讲, max_rounds: 2, exit_condition: 愿意了}")
    assert "“exit_condition”" in only(loaded(text).findings, "E108").message.en


@pytest.mark.parametrize("kind", ["phase", "topic"])
def test_when_a_phase_ends_is_not_when_it_begins(kind: str) -> None:
    found = [each for each in loaded(session(**{kind: "exit_condition: 说完了"})).findings if each.stops]
    assert only(found).code == "E193"
    assert "transitions" in only(found).hint.en


@pytest.mark.parametrize(("head", "wrong"), [("repeat_until: 好了", "`repeat`"), ("question_goal: 问", "`question`")])
def test_a_word_more_is_another_word(head: str, wrong: str) -> None:
    text = session(f"- {{type: ai_ask, content: 问, output: [{{get: a}}], {head}}}")
    assert wrong not in only([each for each in linted(text) if each.code == "E101"]).hint.en


def switched(topics: str) -> list[dict[str, Any] | None]:
    """What the phase and each of its topics switch."""
    head = "sessions:\n- session: s\n  phases:\n  - phase: p\n    steps:\n"
    rules = "".join(RULES.removeprefix("rules:\n").replace("r\n", f"{name}\n", 1) for name in "rq")
    made = parse(rewritten(f"{head}{topics}rules:\n{rules}"), "a").documents[0]["sessions"][0]["phases"][0]
    return [made.get("awareness"), *(topic.get("awareness") for topic in made["steps"])]


def steps(*topics: str) -> str:
    return "".join(
        f"    - topic: t{number}\n      actions:\n"
        + "".join(f"      - {action}\n" for action in (*actions.split("; "), "say: 好"))
        for number, actions in enumerate(topics)
    )


ON, OFF = {"enable": ["r"]}, {"disable": ["r"]}


@pytest.mark.parametrize(
    ("topics", "meant"),
    [
        (("open_rule: r; say: 问; close_rule: r", "say: 一"), [None, ON, None]),
        (("close_rule: r; say: 问; open_rule: r", "say: 一"), [None, OFF, None]),
        (("say: 一", "open_rule: r", "say: 二", "close_rule: r", "say: 三"), [None, None, ON, ON, ON, None]),
        (("open_rule: r", "say: 一"), [ON, None, None]),
        (("open_rule: [r, q]; close_rule: r", "say: 一"), [{"enable": ["q"]}, ON, None]),
        (("open_rule: [r, q]; close_rule: [q, r]",), [None, {"enable": ["r", "q"]}]),
    ],
)
def test_rules_are_opened_and_closed_for_where_that_stands(topics: tuple[str, ...], meant: list[Any]) -> None:
    assert switched(steps(*topics)) == meant


def test_a_rule_that_is_opened_twice_in_a_phase_is_refused_at_each_place() -> None:
    text = "sessions:\n- session: s\n  phases:\n  - phase: p\n    steps:\n"
    text += steps("open_rule: r; close_rule: r", "open_rule: r") + RULES
    found = [each for each in loaded(text).findings if each.stops]
    assert codes(found) == ["E193"] * 3


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("validation: {min: 0, max: 10}", {"range": [0, 10]}),
        ("validation:\n    min: 0  # 最小\n    max: 10", {"range": [0, 10]}),
        ("validation:\n    max: 10", {"validate": "次数 <= 10"}),
        ("range: [0, 10]", {"range": [0, 10]}),
        ("enum: [一, 二]", {"options": ["一", "二"]}),
        ("enum:\n    - 一\n    - 二", {"options": ["一", "二"]}),
    ],
)
@pytest.mark.parametrize("target", ["target_variable: 次数", "output:\n    - get: 次数"])
@pytest.mark.parametrize("first", [True, False])
def test_what_is_said_of_an_answer_beside_the_question(
    rule: str, meant: dict[str, Any], target: str, first: bool
) -> None:
    beside = f"{rule}\n  {target}" if first else f"{target}\n  {rule}"
    (made,) = actions(f"- type: ask\n  content: 几次？\n  {beside}")
    assert made["output"] == [{"get": "次数", **meant}]
    assert rewritten(flat(f"- type: ask\n  content: 几次？\n  {beside}")).count("最小") == rule.count("最小")


def flat(text: str) -> str:
    return session(text).replace("初次会谈", "会谈")


@pytest.mark.parametrize(("needed", "does"), [("可选", "skip"), ("关键", "reask")])
def test_an_output_that_must_be_there(needed: str, does: str) -> None:
    (made,) = actions(f"- {{type: ask, content: 问, output: [{{get: a, required: {needed}}}]}}")
    assert made["output"] == [{"get": "a", "on_failure": {"do": does}}]


@pytest.mark.parametrize("needed", [True, False])
def test_whether_an_output_must_be_there_may_be_said_as_it_is(needed: bool) -> None:
    (made,) = actions(f"- {{type: ask, content: 问, output: [{{get: a, required: {str(needed).lower()}}}]}}")
    assert made["output"] == [{"get": "a", "required": needed}]


@pytest.mark.parametrize("names", ["[甲, 乙]", "\n      - 甲\n      - 乙"])
@pytest.mark.parametrize("key", ["global_variables", "variables", "declare"])
def test_variables_by_their_names_alone(key: str, names: str) -> None:
    made = loaded(rewritten(session(head=f"{key}: {names}"))).sessions[0]
    assert [each.var for each in made.declare] == ["甲", "乙"]


def test_a_strategy_s_words_and_when_a_topic_is_repeated() -> None:
    text = session(topic="strategy: {description: 慢慢来}\nrepeat_until: 1 == 1", after="")
    topic = loaded(rewritten(text)).sessions[0].phases[0].steps[0]
    assert topic.repeat is not None
    assert topic.strategy is not None
    assert "慢慢来" in str(topic.strategy)
