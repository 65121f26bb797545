"""The same world, input and answers give the same turn; nothing is kept between turns but what the state says; and the
state does not grow with the conversation."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

import pytest
from tests.engine.scripts import CALM, ask, check, only, phase, put, roundtrip, say, script, skill, topic, use
from tests.engine.watchers import MEET, hearing, made, watcher, words
from tests.engine.watchers import model as watching

from heartrule.engine.session.events import Noticed
from heartrule.engine.session.io import Input, Needs, Turn, Words, World
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Variables
from heartrule.engine.turn import UnderWay, advance
from heartrule.language.compiling.script import Script
from heartrule.prompts.fixed_sentences import spoken_table
from heartrule.testing.talk import START, Talk, shipped
from heartrule.testing.visitor import Visitor

SCRIPTS = ("cbt/abc_intro", "cbt/abc_intro_en", "cbt/first_assessment")


def model(task: Task) -> Any:
    """Answers to every template, the same for the same task."""
    verdict = {"id": 1, "verdict": True, "confidence": 0.9}
    return {
        "risk": CALM,
        "judge": {"verdicts": [verdict]},
        "ai_ask_open": {"content": "说说看？"},
        "ai_say_open": {"content": "先讲一点。"},
        "ai_say_ack": {"content": "好。"},
        "ask": {"understood": True, "content": "嗯。", "values": {}},
        "ai_ask": {"EXIT": "YES", "content": "好。", "values": {}},
        "ai_say": {
            "assessment": {"understanding_level": 90, "has_questions": False, "expressed_understanding": True},
            "should_exit": True,
            "content": "好。",
        },
    }.get(task.template)


def dump(result: Turn | Needs) -> bytes:
    """All of a result in bytes, the contents too that no representation shows."""
    if isinstance(result, Needs):
        return repr([asdict(task) for task in result.tasks]).encode()
    cells = [(key, name, asdict(value)) for key, cell in result.variables.cells.items() for name, value in cell.items()]
    changes = sorted(map(repr, result.variables.changed)) + sorted(map(repr, result.variables.removed))
    events = [event.model_dump_json() for event in result.events]
    messages = [asdict(message) for message in result.messages]
    rest = (result.request, result.wake_at, result.status, dict(result.exit))
    return result.state.model_dump_json().encode() + repr((cells, changes, events, messages, rest)).encode()


def world(talk: Talk) -> World:
    return World(
        script=talk.script,
        state=talk.state,
        variables=talk.variables,
        history=tuple(talk.history[-60:]),
        now=talk.now,
        model=talk.model is not None,
        spoken=spoken_table(talk.script),
    )


def answered(given: World, words: Input, ask_model: Callable[[Task], Any]) -> tuple[Turn, dict[str, Answer]]:
    answers: dict[str, Answer] = {}
    while isinstance(result := advance(given, words, answers), Needs):
        for task in result.tasks:
            data = ask_model(task)
            answers[task.key] = Answer(task.key, "failed" if data is None else "answered", data)
    return result, answers


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("with_model", [False, True])
def test_a_turn_worked_out_twice_is_the_same_to_the_byte(name: str, with_model: bool) -> None:
    talk = Talk(shipped(name), model=model if with_model else None)
    visitor = Visitor(talk.script, seed=3, prefer=("safe", "开始", "接着"))
    for _ in range(12):
        if talk.ended:
            break
        kind, text = visitor.reply(talk.state, talk.request)
        talk.now += timedelta(seconds=20)
        seen = talk.state.messages
        given = (
            Input("choice", choice=text, after=seen)
            if kind == "choice"
            else Input("message", (Words(text, seen),), after=seen)
        )
        here = world(talk)
        before = (here.state.model_dump_json(), here.variables.copy().cells)
        turn, answers = answered(here, given, model)
        for _ in range(2):
            again = advance(here, given, answers)
            assert dump(again) == dump(turn)
        elsewhere = replace(here, state=pickle.loads(pickle.dumps(here.state)), variables=here.variables.copy())
        assert dump(advance(elsewhere, given, answers)) == dump(turn)
        assert (here.state.model_dump_json(), here.variables.cells) == before, "a turn changed its world"
        talk.move(given)
        assert dump(talk.turn) == dump(turn)


SPOKEN = (
    "我喘不过气",
    "好",
    "我喘不过气",
    "不想说",
    "我不想活了",
    "我想跟真人说",
    "我想跟真人说",
    "今天就到这儿吧",
    "没有",
)


@pytest.mark.parametrize("mind", [None, model, watching(hearing("不想说"))], ids=["rules", "silent", "perceives"])
def test_turns_in_which_scripts_below_p0_act_are_the_same_to_the_byte(mind: Any) -> None:
    flooded = watcher(MEET, id="flooded", judge="喘不过气", at="answer", rules=words("喘不过气"), cooldown="3 turns")
    talk = Talk(made(watcher(), flooded), mind)
    acted = 0
    for said in SPOKEN:
        talk.now += timedelta(seconds=20)
        given = Input("message", (Words(said, talk.state.messages),), after=talk.state.messages)
        here = replace(world(talk), state=State.model_validate_json(talk.state.model_dump_json()))
        turn, answers = answered(here, given, lambda task: talk._answer(task).data)
        assert dump(advance(here, given, answers)) == dump(turn)
        talk.move(given)
        assert dump(talk.turn) == dump(turn)
        acted += sum(isinstance(event, Noticed) and event.priority == "P1" and event.acted for event in turn.events)
    assert acted >= 4


def test_more_answers_than_are_needed_change_nothing() -> None:
    talk = Talk(only(ask("？", "x")), model=model)
    given = Input("message", (Words("好", talk.state.messages),), after=talk.state.messages)
    turn, answers = answered(world(talk), given, model)
    more = answers | {"99 nothing": Answer("99 nothing", "answered", {"x": 1})}
    assert dump(advance(world(talk), given, more)) == dump(turn)


def test_a_task_keeps_its_key_however_often_the_turn_is_worked_out() -> None:
    talk = Talk(only(ask("？", "x")), model=model)
    given = Input("message", (Words("好", talk.state.messages),), after=talk.state.messages)
    first, second = advance(world(talk), given, {}), advance(world(talk), given, {})
    assert isinstance(first, Needs)
    assert isinstance(second, Needs)
    assert [task.key for task in first.tasks] == [task.key for task in second.tasks]
    assert len({task.key for task in first.tasks}) == len(first.tasks)
    assert dump(first) == dump(second)


def test_only_what_is_missing_is_asked_for() -> None:
    talk = Talk(only(ask("？", "x")), model=model)
    given = Input("message", (Words("好", talk.state.messages),), after=talk.state.messages)
    needs = advance(world(talk), given, {})
    assert isinstance(needs, Needs)
    one, *others = needs.tasks
    rest = advance(world(talk), given, {one.key: Answer(one.key, "failed")})
    assert isinstance(rest, Needs)
    assert [task.key for task in rest.tasks] == [task.key for task in others]


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_state_that_goes_through_json_between_turns_changes_nothing(name: str, seed: int) -> None:
    made = shipped(name)

    def play(through_json: bool) -> Talk:
        talk = Talk(made)
        visitor = Visitor(made, seed=seed, yes=0.5)
        for _ in range(60):
            if talk.ended:
                break
            if through_json:
                roundtrip(talk)
            kind, text = visitor.reply(talk.state, talk.request)
            if kind == "choice":
                talk.choose(text)
            else:
                talk.say(text)
        return talk

    plain, carried = play(False), play(True)
    assert plain.state == carried.state
    assert plain.events == carried.events
    assert plain.history == carried.history
    check(carried)


def test_a_states_json_is_the_same_after_a_round_trip() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.play(["开始", "最近很累", "压力大"])
    text = talk.state.model_dump_json()
    assert State.model_validate_json(text).model_dump_json() == text


# size


def endless() -> Script:
    """A topic that goes on for as long as the person does, with something of everything in it."""
    return script(
        phase(
            "P",
            topic(
                "甲",
                say("第{topic.attempts}回"),
                ask("怎么样？", {"get": "x", "scope": "session"}, {"get": "几分", "type": "integer"}),
                use("技", input={"给": "{x}"}, output=[{"get": "r", "set": "结果"}]),
                put("次", expr="次 + 1"),
                repeat={"until": "x == '够了'"},
            ),
            declare=[{"var": "次", "value": 0}, {"var": "结果"}],
        ),
        skills=[
            skill("技", ask("再说？", "r"), parameters=[{"name": "给"}], returns=["r"]),
        ],
    )


def sizes(talk: Talk, turns: int, say_: Callable[[Talk, int], None]) -> list[int]:
    found = []
    for turn in range(turns):
        say_(talk, turn)
        assert not talk.ended
        cells = sum(len(cell) for cell in talk.variables.cells.values())
        found.append(len(talk.state.model_dump_json()) + 100 * cells)
    return found


def assert_flat(found: list[int]) -> None:
    """The last turns are no bigger than the first ones, but for numbers that have more digits."""
    early, late = found[9:29], found[-20:]
    assert max(late) <= max(early) * 1.1 + 40, (max(early), max(late))


def test_the_state_does_not_grow_with_a_topic_that_repeats() -> None:
    talk = Talk(endless())
    assert_flat(sizes(talk, 500, lambda talk, turn: talk.say(f"还是{turn % 10}")))
    assert talk.state.running is not None
    check(talk)


def test_the_state_does_not_grow_with_topics_that_are_gone_back_to() -> None:
    made = script(
        phase(
            "A",
            topic("甲", ask("？", "x")),
            topic("乙", ask("？", "y"), transitions=[{"to": "甲", "condition": "y != '走'"}]),
        ),
        phase("B", topic("丙", ask("？", "z"), declare=[{"var": "z"}]), milestone="过了", transitions=[{"to": "a"}]),
    )
    talk = Talk(made)
    assert_flat(sizes(talk, 150, lambda talk, turn: talk.say("走" if turn % 7 == 6 else "留")))


def test_the_state_does_not_grow_with_questions_that_are_asked_again() -> None:
    def asks_again(task: Task) -> Any:
        return CALM if task.template == "risk" else {"EXIT": "NO", "content": "再说说？", "values": {}}

    action = {"type": "ai_ask", "content": "问", "question": "怎么？", "max_rounds": 50, "min_rounds": 50}
    talk = Talk(only(action), model=asks_again)
    assert_flat(sizes(talk, 49, lambda talk, turn: talk.say("说不清楚的感觉")))


def test_the_state_does_not_grow_with_interruptions() -> None:
    talk = Talk(only(ask("怎么样？", "x"), ask("后来？", "y")))

    def interrupt(talk: Talk, turn: int) -> None:
        if talk.state.running is not None and talk.state.running.kind == "topic":
            talk.say("我不想活了")
            return
        values = [choice.value for choice in talk.request.choices]
        if values:
            talk.choose(next(each for each in ("safe", "go_on", values[-1]) if each in values))
        else:
            talk.say("没有")

    assert_flat(sizes(talk, 200, interrupt))
    check(talk)


def test_late_words_do_not_make_the_state_grow() -> None:
    talk = Talk(endless())

    def late(talk: Talk, turn: int) -> None:
        before = talk.state.messages
        talk.say("还好" + "啊" * 20)
        talk.say("补一句" + "啊" * 20, after=before)

    assert_flat(sizes(talk, 120, late))


def test_the_world_is_not_touched_by_a_turn() -> None:
    talk = Talk(endless())
    kept = Variables({key: dict(cell) for key, cell in talk.variables.cells.items()})
    state = talk.state.model_dump_json()
    here = world(talk)
    advance(here, Input("message", (Words("好", 99),), after=99), {})
    assert here.state.model_dump_json() == state
    assert here.variables.cells == kept.cells
    assert here.variables.changed == set()
    assert here.now >= START


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_turn_that_goes_on_comes_to_what_one_worked_out_anew_does(name: str) -> None:
    """``UnderWay`` asks for the same, and ends the same, as ``advance`` given all answers so far."""
    talk = Talk(shipped(name), model)
    visitor = Visitor(talk.script, seed=3, prefer=("safe", "开始", "接着"))
    checkpoints = 0
    while not talk.ended and checkpoints < 60:
        kind, words = visitor.reply(talk.state, talk.turn.request)
        given = Input("choice", choice=words) if kind == "choice" else Input("message", (Words(words),))
        here, answers = world(talk), dict[str, Answer]()
        under_way = UnderWay(here, given)
        while isinstance(result := under_way.go_on(answers), Needs):
            assert dump(advance(here, given, answers)) == dump(result)
            checkpoints += 1
            for task in result.tasks:
                data = model(task)
                answers[task.key] = Answer(task.key, "failed" if data is None else "answered", data)
        assert dump(advance(here, given, answers)) == dump(result)
        talk.move(given)
    assert checkpoints > 5
