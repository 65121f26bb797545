"""``parallel_actions``: all of them on what was known before, their model calls in one round trip, what they write in
the order of the list when the last has ended."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.adapting import NO_DANGER

from heartrule.engine.session.io import Input, Needs, Turn, World
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer
from heartrule.engine.session.variables import Variables
from heartrule.engine.turn import UnderWay
from heartrule.prompts.fixed_sentences import spoken_table
from heartrule.testing.talk import START, Talk, compile_text

DECLARE = (
    "[{var: 甲, value: 1}, {var: 乙, value: 2}, {var: 串, type: list, update: append}, {var: 名}, "
    "{var: 险, type: boolean, risk: true}]"
)
AFTER = "- {type: say, content: '{甲} {乙} {名}'}\n- {type: ask, id: after, content: 完}"


def script(
    actions: str, after: str = "- {type: say, content: '{甲} {乙} {名}'}\n- {type: ask, id: after, content: 完}"
) -> str:
    def lines(text: str, indent: int) -> str:
        return "\n".join(" " * indent + line for line in text.strip().splitlines())

    return (
        f"sessions:\n  - session: 并\n    declare: {DECLARE}\n    phases:\n      - phase: 一\n        steps:\n"
        "          - topic: 块\n            actions:\n"
        "              - type: parallel_actions\n                id: block\n                actions:\n"
        f"{lines(actions, 18)}\n{lines(after, 14)}\n"
    )


SWAP = "- {type: set_var, var: 甲, expr: 乙}\n- {type: set_var, var: 乙, expr: 甲}\n"
ASK = "- {type: ask, id: q, content: 叫什么？, output: [{get: 名}]}\n"


def test_all_read_what_was_there_before() -> None:
    assert Talk(script(SWAP)).said == ["2 1 这方面", "完"]


def test_what_they_write_is_written_in_the_order_of_the_list() -> None:
    held = Talk(script("".join(f"- {{type: set_var, var: 串, value: [{at}]}}\n" for at in "一二三") + SWAP))
    assert held.value("串") == ["一", "二", "三"]
    numbers = [event.number for event in held.happened("variable")]
    assert numbers == sorted(set(numbers))


def test_one_may_wait_and_is_said_last_and_nothing_is_written_before_it_has_ended() -> None:
    held = Talk(script(SWAP + ASK + "- {type: say, content: 先听这句, card: {title: 卡}}"))
    assert held.said == ["先听这句", "叫什么？"]
    assert [media.kind for media in held.history[0].media] == ["card"]
    assert (held.at, held.value("甲"), held.value("乙")) == ("block", 1, 2)
    held.state = State.model_validate_json(held.state.model_dump_json())
    assert held.say("小林") == ["2 1 小林", "完"]
    sources = [event.source for event in held.happened("variable") if event.source != "session"]
    assert sources == ["block.1", "block.2", "q"]


def test_an_answer_in_several_rounds_is_seen_by_its_part_alone() -> None:
    output = "[{get: 名}, {get: 岁, type: integer, range: [1, 120]}]"
    two = f"- {{type: ask, id: q, content: 叫什么，几岁？, output: {output}}}\n"
    held = Talk(script(two + SWAP))
    held.say("小林")
    assert (held.at, held.value("名"), held.value("甲")) == ("block", None, 1)
    held.say("什么意思")
    held.say("30岁")
    assert (held.value("名"), held.value("甲")) == ("小林", 2)
    assert held.said == ["2 1 小林", "完"]


def test_a_part_whose_condition_does_not_hold_is_left_out() -> None:
    held = Talk(script("- {type: say, content: 一, condition: 甲 > 5}\n- {type: say, content: 二, condition: 甲 < 5}"))
    assert held.said == ["二", "1 2 这方面", "完"]


def test_danger_comes_first() -> None:
    held = Talk(script(SWAP + ASK))
    held.say("我不想活了，想自杀")
    assert held.state.running is not None
    assert held.state.running.ref.startswith("safety/")
    assert (held.value("甲"), held.value("名")) == (1, None)
    assert held.state.suspended[0].action is not None
    assert held.state.suspended[0].action.id == "block"


def test_the_block_is_put_again_as_its_part_would_be() -> None:
    text = script(SWAP + ASK).replace(
        "id: block", "id: block\n                timeout: 5m\n                on_timeout: retry"
    )
    held = Talk(text)
    assert held.wait(minutes=5) == ["叫什么？"]
    assert held.at == "block"
    assert held.say("小林") == ["2 1 小林", "完"]


def test_a_risk_that_a_part_makes_known_calls_the_crisis_technique() -> None:
    held = Talk(script("- {type: set_var, var: 险, value: true}\n" + SWAP))
    assert held.state.running is not None
    assert held.state.running.ref.startswith("safety/crisis")


def test_choices_buttons_and_timed_steps_wait_as_they_would_alone() -> None:
    held = Talk(script(SWAP + "- {type: user_option, var: 名, choices: [{value: 林, label: 小林}]}"))
    assert [choice.label for choice in held.request.choices] == ["小林"]
    assert held.choose("林") == ["2 1 林", "完"]
    steps = "[{say: 吸, wait: 20s}, {say: 呼, wait: 20s}]"
    held = Talk(script(SWAP + f"- {{type: ai_guide, exercise: 呼吸, exercise_steps: {steps}}}"))
    assert held.wait(seconds=20) == ["呼"]
    assert held.say("再说一遍") == ["呼"]
    assert held.wait(seconds=20) == ["2 1 这方面", "完"]
    held = Talk(script(SWAP + f"- {{type: ai_guide, exercise: 呼吸, exercise_steps: {steps}, on_stop: 停}}"))
    assert held.say("停")[0] == "停"
    assert held.at == "after"


def test_a_timeout_ends_the_block_as_any_action() -> None:
    text = script(SWAP + ASK).replace("id: block", "id: block\n                timeout: 5m")
    held = Talk(text)
    assert held.wait(minutes=5) == ["1 2 这方面", "完"]
    assert held.state.running is not None
    assert held.state.running.unfinished == ["block"]


THINK = (
    "- {type: ai_think, id: a, content: 想甲, input: [甲], output: [{get: 甲, type: integer}]}\n"
    "- {type: ai_think, id: b, content: 想乙, input: [乙], output: [{get: 乙, type: integer}]}\n"
    "- {type: ai_say, id: c, content: 说一句, require_acknowledgment: false, fallback: 好}\n"
)


def answered(task: Any) -> dict[str, Any]:
    if task.template == "ai_say_open":
        return {"content": "你好呀。"}
    if task.template == "risk":
        return NO_DANGER
    return {"values": {"甲": {"value": 7}} if "想甲" in str(task.values) else {"乙": {"value": 8}}}


def test_the_model_is_asked_side_by_side() -> None:
    rounds: list[list[str]] = []
    under = UnderWay(_world(), Input("start"))
    answers: dict[str, Answer] = {}
    while isinstance(needs := under.go_on(answers), Needs):
        rounds.append([task.template for task in needs.tasks])
        answers |= {task.key: Answer(task.key, "answered", answered(task)) for task in needs.tasks}
    assert rounds[0] == ["ai_think", "ai_think", "ai_say_open"]
    assert len(set(answers)) == 3
    assert [message.text for message in needs.messages][:2] == ["你好呀。", "7 8 这方面"]


def _world() -> World:
    compiled = compile_text(script(THINK))
    return World(compiled, State(), Variables(), (), START, True, spoken_table(compiled))


@settings(max_examples=24, deadline=None)
@given(st.permutations(range(3)), st.lists(st.booleans(), min_size=3, max_size=3))
def test_the_order_in_which_answers_come_makes_no_difference(order: list[int], failed: list[bool]) -> None:
    """Each given by itself, in any order and some of them failing: the same turn as all at once."""

    def turn(order: list[int] | None) -> Turn:
        under = UnderWay(_world(), Input("start"))
        answers: dict[str, Answer] = {}
        needs = under.go_on(answers)
        assert isinstance(needs, Needs)
        made = [
            Answer(task.key, "failed", None) if failed[at] else Answer(task.key, "answered", answered(task))
            for at, task in enumerate(needs.tasks)
        ]
        result: Needs | Turn = needs
        for batch in [[at] for at in order] if order is not None else [range(3)]:
            answers |= {made[at].key: made[at] for at in batch}
            result = under.go_on(answers)
        assert isinstance(result, Turn)
        return result

    at_once, one_by_one = turn(None), turn(order)
    assert one_by_one.state == at_once.state
    assert one_by_one.messages == at_once.messages
    assert one_by_one.events == at_once.events
    assert one_by_one.variables.cells == at_once.variables.cells


def test_words_of_a_part_that_waits_are_asked_of_the_model_once() -> None:
    answers = {"ask": {"understood": True, "values": {"名": {"value": "小林", "evidence": "小林"}}, "content": ""}}
    held = Talk(script(SWAP + ASK), {"risk": NO_DANGER, **answers})
    held.say("叫我小林")
    assert [task.template for task in held.asked].count("ask") == 1
    assert (held.value("名"), held.value("甲")) == ("小林", 2)
