"""What whoever listens in is shown: all of the person's words, the questions that they answer, and always the same
beginning."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.engine.minds import CALM, ai_ask, asked, replied, values
from tests.engine.scripts import ask, only, say

from heartrule.engine.session.tasks import Task
from heartrule.engine.tasks.listener_view import ASKED, WIDER
from heartrule.engine.tasks.listener_view import asked as end_of
from heartrule.testing.talk import Talk, shipped
from heartrule.testing.visitor import Visitor
from heartrule.testing.walk import walk


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("从那以后一直绷着。这样多久了？", "从那以后一直绷着。这样多久了？"),
        (
            "也有人有过相反的时候：连着好几天特别亢奋。你有过吗？",
            "也有人有过相反的时候：连着好几天特别亢奋。你有过吗？",
        ),
        ("听着很累。这几天晚上你一般是几点睡、几点醒的？", "这几天晚上你一般是几点睡、几点醒的？"),
        ("你想过死吗？想过怎么做吗？", "你想过死吗？想过怎么做吗？"),
        ("有没有想过“不如死了？”", "有没有想过“不如死了？”"),
        ("嗯。几分？\n0 没有，10 最强。", "嗯。几分？\n0 没有，10 最强。"),
        ("我们歇一歇。", "我们歇一歇。"),
        ("That sounds hard. How long has it been?", "How long has it been?"),
        (
            "That sounds hard. What went through your mind just then, in the ward?",
            "What went through your mind just then, in the ward?",
        ),
        ("It cost 3.5 a day? I see.", "It cost 3.5 a day? I see."),
        ("", ""),
        ("？", "？"),
    ],
)
def test_of_what_was_said_the_question_is_shown(said: str, shown: str) -> None:
    assert end_of(said, ASKED) == shown


def test_a_long_explanation_is_shown_from_a_sentence_near_its_end() -> None:
    long = "".join(f"第{n}点要慢慢说。" for n in range(40))
    shown = end_of(long, ASKED)
    assert long.endswith(shown)
    assert ASKED / 2 < len(shown) <= ASKED
    assert shown.startswith("第")
    assert end_of(f"{long}你怎么看？", ASKED) == "第39点要慢慢说。你怎么看？"
    assert end_of("长" * 200, ASKED) == "长" * ASKED, "without an end of a sentence it is cut"
    assert len(end_of("One more point. " * 40, ASKED * WIDER)) <= ASKED * WIDER


def test_the_judgement_of_danger_sees_every_word_of_the_person_and_what_they_were_asked() -> None:
    made = only(say("先说明一下。这里的话会保存。"), ask("今天怎么样？", "x"), say("好。"), ask("想过死吗？", "y"))
    talk = Talk(made, {"risk": CALM, "ask": replied(values=values(x=("累", "就是累")))})
    talk.say("还行\n就是累")
    talk.say("没有")
    last = [task for task in talk.asked if task.template == "risk"][-1]
    assert [(line.speaker, line.text) for line in last.context.history] == [
        ("ai", "这里的话会保存。\n今天怎么样？"),
        ("person", "还行\n就是累"),
        ("ai", "好。\n想过死吗？"),
        ("person", "没有"),
    ]


def test_who_speaks_still_sees_all_that_was_said() -> None:
    talk = Talk(
        only(say("先说明一下。"), ai_ask("近况", "x", question="今天怎么样？")), {"risk": CALM, "ai_ask": asked("嗯？")}
    )
    talk.say("累")
    (task,) = [task for task in talk.asked if task.template == "ai_ask"]
    assert "".join(line.text for line in task.context.history) == "先说明一下。今天怎么样？累"


@pytest.mark.parametrize("seed", [1, 2])
def test_one_turn_s_transcript_begins_with_that_of_the_turn_before(seed: int) -> None:
    """But for the turns in which old messages leave it; over a whole shipped session."""
    script = shipped("cbt/first_assessment")
    visitor = Visitor(script, seed=seed, yes=0.3, prefer=("开始", "接着", "对", "safe"))
    tasks: list[Task] = [each.task for each in walk(script, visitor=visitor)]
    seen = [task.context.history for task in tasks if task.template == "risk"]
    pairs = [(one, other) for one, other in pairwise(seen) if one[:2] == other[:2] and len(one) <= len(other)]
    assert len(seen) > 10
    assert len(pairs) >= 0.35 * len(seen), "the judge is shown a dozen lines, which leave in blocks"
    assert max(map(len, seen)) <= 12
    assert [(one, other) for one, other in pairs if other[: len(one)] != one] == []
