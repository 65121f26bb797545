"""Questions that a person asks back, and questions that are answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parsing.test_readers_repairs import CLARIFY, PURPOSE, REPEAT, SKIP, STOP, UNKNOWN, cells
from tests.parsing.test_readers_safety import ALL
from tests.table import tabled

from heartrule.parsing.questions import invites_questions, question_back

WHO = r"""
你是真人吗|你是真人吗？|您是真人吗？|你真的是真人吗|是真人吗？|请问你是真人吗|你是不是真人|你是机器人吗？|你是机器人吧？|你是AI吗？
你是ＡＩ吗|你是人工智能吗|你是人吗？|你到底是不是人|你是真人还是机器人|你是人还是AI？|你是一个程序吗？|你是医生吗？|你是心理咨询师吗
你是谁|你是谁？|你到底是谁啊|你是什么人|你叫什么名字？|我在跟谁说话？|我是在和机器人聊天吗？|你好，你是真人吗？|对面是真人吗
are you a real person?|Are you real?|are you an AI|Are you a robot or a human?|are you human?|Is this a bot?
Am I talking to a real person?|who are you?|what are you|What's your name?
hey, are you a real person|are you a therapist?
"""

HELP = r"""
你能帮我吗？|你能帮我吗|您能帮帮我吗|你可以帮我吗？|你真的能帮到我吗？|能帮我吗？|你能帮我什么？|你能做什么|你会什么？|你能做些什么呢
你帮得了我吗|跟你聊有用吗？|和你说这些真的有用吗|你有什么用|Can you help me?|can you really help|how can you help me?
what can you do?|What can you do for me?|Will this help?|does talking to you actually help?
"""

PRIVATE = r"""
你会保密吗？|会保密吗|你能替我保密吗？|这些会保密吗|你会告诉别人吗？|你会把这些告诉我爸妈吗|我说的话会被别人看到吗？|谁会看到这些？
Is this confidential?|is this private|Will you tell anyone?|will you tell my parents|who can see this?
are you recording this?
"""

ANSWERS = r"""
我是不是没救了？|我是不是疯了|我是不是有病？|你觉得我是不是没救了|你觉得我还有救吗？|你是不是也觉得我没用|你会不会也离开我？|你能理解我吗
你能帮我跟我妈说吗？|能帮我|你能帮我|你要是真人就好了|你是真人的话我会说更多|我妈问我你是谁|他说：“你是谁？”|“你是谁？”|「你是真人吗？」
他问我你能帮我吗|怎么办？|我该怎么办|为什么是我？|为什么他要走|活着有什么意义？|有人会在意吗？|有谁会知道|谁会看到我|你懂什么
你知道那种感觉吗|还有用吗？|有用吗|没人能帮我|你帮不了我|我不知道你能不能帮我|我想问问我这样正常吗|我这样正常吗？|你好|在吗
我能见到真人吗？|我是人吗|我是谁|我是机器人|你是我唯一能说话的人|真人……|你是真人吗，我昨天又没睡着|我很难受，你能帮我吗？
你会告诉我该怎么死吗|谁能帮我死|你能帮我去死吗|你能帮我解脱吗|你能做什么让我不想死
am I a bad person?|am I crazy?|are you saying I'm crazy|can you help me die?|who am I|what am I doing wrong?
can anyone help me|nobody can help me|will it ever stop?|does anyone care?|who would even know?|what's the point?
are you a real person because I really need one|I asked her "who are you?"|you can't help me|can you help my son
"""


@tabled("text", cells(WHO))
def test_who_are_you(text: str) -> None:
    assert question_back(text) == "who"


@tabled("text", cells(HELP))
def test_what_can_you_do(text: str) -> None:
    assert question_back(text) == "help"


@pytest.mark.parametrize("text", cells(PRIVATE))
def test_who_will_see_it(text: str) -> None:
    assert question_back(text) == "private"


@tabled("text", [*cells(ANSWERS), "", "？", "你是真人吗" * 20, "你是真人吗" * 2000])
def test_anything_else_is_an_answer(text: str) -> None:
    assert question_back(text) is None


@tabled("text", ALL)
def test_no_sentence_about_death_is_a_question_to_us(text: str) -> None:
    assert question_back(text) is None


@tabled("text", [cell for table in (REPEAT, CLARIFY, SKIP, PURPOSE, STOP, UNKNOWN) for cell in cells(table)])
def test_repair_phrases_keep_their_own_answers(text: str) -> None:
    assert question_back(text) is None


TOLD = [each for each in ALL if len(each) > 4]
"""A greeting may go with a question."""


@given(st.sampled_from(TOLD), st.sampled_from(cells(WHO + HELP)), st.sampled_from(["，", "。", "\n"]), st.booleans())
def test_a_question_takes_no_sentence_with_it(sentence: str, asked: str, separator: str, first: bool) -> None:
    assert question_back(f"{asked}{separator}{sentence}" if first else f"{sentence}{separator}{asked}") is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("你是真人吗？你能帮我吗？", "who"),
        ("你能帮我吗\n你是真人吗", "help"),
        ("你好！请问，你是AI吗？？", "who"),
        ("Hi. Are you a bot? Is this private?", "who"),
    ],
)
def test_of_several_the_first(text: str, kind: str) -> None:
    assert question_back(text) == kind


@pytest.mark.parametrize(
    "question",
    ["好，你想问什么？", "开始之前，你有什么疑问吗？", "Is there anything you'd like to ask?", "Any questions?"],
)
def test_where_questions_are_invited(question: str) -> None:
    assert invites_questions(question)


@pytest.mark.parametrize(
    "question", ["今天心情怎么样？", "怎么称呼你？", "What brings you here?", "How long has it been?", ""]
)
def test_where_they_are_not(question: str) -> None:
    assert not invites_questions(question)
