"""The committed conversation fits the committed script, and the stub understands it whoever asks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bench.intake import judged
from bench.intake.conversation import PROJECT, Conversation, conversation
from bench.intake.mind import Mind
from bench.intake.naive import passive, steps

from heartrule.engine.session.tasks import Task
from heartrule.engine.session.variables import SESSION
from heartrule.language.compiling.script import Script
from heartrule.language.nodes.conditions import Condition, Judge
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk, compile_text


@pytest.fixture(scope="module")
def script() -> Script:
    return compile_text((PROJECT / "intake.yaml").read_text(encoding="utf-8"), "intake")


@pytest.fixture
def talk() -> Conversation:
    return conversation()


def answering(script: Script, asked: list[Task]) -> Any:
    """The stub's mind behind the real prompts, through the body that goes over the wire."""
    mind = Mind(conversation())

    def answer(task: Task) -> Any:
        asked.append(task)
        prompt = render(task, script)
        messages = [{"role": each.role, "content": each.text} for each in prompt.messages]
        form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": prompt.schema}}
        return mind.answer(json.loads(json.dumps({"messages": messages, "response_format": form})))

    return answer


def questions(script: Script) -> set[str]:
    found: list[Condition | None] = []
    for phase in script.session.phases:
        for topic in phase.steps:
            found += [topic.done_when, *(each.condition for each in topic.transitions)]
            found += [action.condition for action in topic.actions]
    return {each.judge for each in found if isinstance(each, Judge)}


def test_it_has_six_questions_five_variables_three_judgements_and_five_passive_ones(
    script: Script, talk: Conversation
) -> None:
    assert len(talk.answers) == len(steps()) == 6
    assert len([step for step in steps() if step.name]) == 5
    assert questions(script) == {each.question for each in talk.judgements}
    assert len(talk.judgements) == 3
    assert len(passive()) == 5
    assert talk.names() == {step.name for step in steps() if step.name} | set(passive())


def test_every_value_is_proved_by_the_persons_own_words(talk: Conversation) -> None:
    for answer in talk.answers:
        for name, held in answer.holds.items():
            assert held.evidence in answer.says, name
            assert 0 < len(held.evidence) <= 20, name


def test_a_judgement_that_becomes_true_is_proved_too(talk: Conversation) -> None:
    for judgement in talk.judgements:
        if judgement.holds_from:
            assert judgement.evidence in talk.answers[judgement.holds_from - 1].says


def test_the_questions_left_to_the_model_are_the_scripts_own(talk: Conversation) -> None:
    left = [number for number, step in enumerate(steps()) if not step.question]
    assert [number for number, answer in enumerate(talk.answers, 1) if answer.words] == left
    for number in left:
        assert talk.answers[number - 1].brief in steps()[number].brief


def test_one_answer_is_enough_for_every_question(script: Script, talk: Conversation) -> None:
    asked: list[Task] = []
    held = Talk(script, answering(script, asked))
    for number, answer in enumerate(talk.answers, 1):
        assert held.at == ("why", "since", "much", "sleep", "who", "hope")[number - 1]
        held.say(answer.says)
        assert answer.reply in "".join(held.said)
        assert answer.words in "".join(held.said)
    assert held.ended
    assert held.turn.state.end_reason == "completed"


def test_what_is_asked_for_and_what_is_told_in_passing_is_known_afterwards(script: Script, talk: Conversation) -> None:
    held = Talk(script, answering(script, []))
    for number, answer in enumerate(talk.answers, 1):
        held.say(answer.says)
        for name, told in talk.known(number).items():
            assert held.variables.find(name, [SESSION])[1].value == told.value  # type: ignore[index]
    strategies = {event.name: event.strategy for event in held.happened("variable") if event.name in passive()}
    assert strategies == dict.fromkeys(passive(), "passive")


def test_each_judgement_is_crossed_once_and_comes_out_as_it_should(script: Script, talk: Conversation) -> None:
    held = Talk(script, answering(script, []))
    held.play(answer.says for answer in talk.answers)
    verdicts = {event.question: (event.verdict, event.source) for event in held.happened("judged")}
    assert verdicts == {each.question: (each.holds_from > 0, "model") for each in talk.judgements}
    assert len(held.happened("judged")) == 3
    assert any("听得出你对自己很严" in message.text for message in held.history)


def test_nobody_is_found_in_danger(script: Script, talk: Conversation) -> None:
    held = Talk(script, answering(script, []))
    held.play(answer.says for answer in talk.answers)
    noticed = held.happened("awareness")
    assert len(noticed) >= 6
    assert {event.verdict for event in noticed} == {"no"}


def test_before_anything_is_said_nothing_is_answered(talk: Conversation) -> None:
    schema = {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]}
    form = {"type": "json_schema", "json_schema": {"schema": schema}}
    assert Mind(talk).answer({"messages": [{"content": "你好"}], "response_format": form}) == {"content": ""}


@pytest.mark.parametrize("shape", [{"type": "boolean"}, {"enum": ["yes", "no", "unknown"]}], ids=["boolean", "words"])
def test_verdicts_go_by_their_numbers(talk: Conversation, shape: dict[str, Any]) -> None:
    item = {"type": "object", "properties": {"id": {"type": "integer"}, "verdict": shape}}
    schema = {"type": "object", "properties": {"verdicts": {"type": "array", "items": item}}}
    said = "\n".join(f"来访者：{answer.says}" for answer in talk.answers[:3])
    asked = f"{said}\n7. 来访者是否提到天气\n9. {talk.judgements[1].question}\n"
    body = {"messages": [{"content": asked}], "response_format": {"json_schema": {"schema": schema}}}
    no, yes = (False, True) if "type" in shape else ("no", "yes")
    assert Mind(talk).answer(body)["verdicts"] == [{"id": 7, "verdict": no}, {"id": 9, "verdict": yes}]


def test_where_no_verdict_is_asked_for_only_what_holds_is_written(talk: Conversation) -> None:
    item = {"type": "object", "properties": {"id": {"type": "integer"}, "evidence": {"type": "string"}}}
    schema = {"type": "object", "properties": {"holds": {"type": "array", "items": item}}}
    said = "\n".join(f"来访者：{answer.says}" for answer in talk.answers[:3])
    asked = f"{said}\n1. {talk.judgements[2].question}\n2. {talk.judgements[1].question}\n3. 来访者是否提到天气\n"
    body = {"messages": [{"content": asked}], "response_format": {"json_schema": {"schema": schema}}}
    assert Mind(talk).answer(body) == {"holds": [{"id": 2, "evidence": talk.judgements[1].evidence}]}


def test_values_go_by_their_numbers_and_only_those_just_told(talk: Conversation) -> None:
    item = {"type": "object", "properties": {"id": {"type": "integer"}, "value": {}, "evidence": {"type": "string"}}}
    schema = {"type": "object", "properties": {"found": {"type": "array", "items": item}}}
    said = "\n".join(f"来访者：{answer.says}" for answer in talk.answers[:2])
    asked = f"{said}\n1. 居住情况：和谁住\n2. 职业：做什么工作\n3. 年龄：几岁\n"
    body = {"messages": [{"content": asked}], "response_format": {"json_schema": {"schema": schema}}}
    assert Mind(talk).answer(body) == {"found": [{"id": 2, "value": "会计", "evidence": "我做会计的"}]}


def test_the_judged_script_asks_all_eight_after_every_answer(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = judged.project(tmp_path_factory.mktemp("judged") / "project")
    script = compile_text((folder / "judged.yaml").read_text(encoding="utf-8"), "judged")
    held = Talk(script, answering(script, []))
    held.play(answer.says for answer in conversation().answers)
    assert held.ended
    assert held.turn.state.end_reason == "completed"
    asked = [event.question for event in held.happened("judged")]
    assert len(judged.judgements()) == 8
    assert asked == list(judged.judgements()) * 6
    assert not any(event.verdict for event in held.happened("judged"))
