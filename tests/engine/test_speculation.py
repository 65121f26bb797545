"""A reply is asked for before it is known what else the words say; it is made again where that changed what it read."""

from __future__ import annotations

from typing import Any

import pytest
from bench.replays import Job
from bench.replays import hold as whole_session
from tests.engine.minds import CALM, Data, Node, ai_ask, ai_say, asked, explained, last, replied, tasks, values
from tests.engine.scripts import ask, only, phase, put, script, topic

from heartrule.engine.session.tasks import Task
from heartrule.engine.tasks import speculation
from heartrule.testing.talk import Talk, compile_text

CAUSE: Node = {"var": "起因", "type": "text", "define": "刚开始时的变动"}
NAME: Node = {"var": "称呼", "type": "text", "define": "怎么称呼"}
LATER = ai_ask("那阵子的变动", "起因", question="那阵子有什么变动？", when_known="ask")
WORDS = "八分，换了部门以后"
TOLD = {"holds": [], "values": [{"name": "起因", "value": "换了部门", "evidence": "换了部门"}]}
NOTHING: Data = {"holds": [], "values": []}


def hold(*actions: Node, perceived: Any = TOLD, words: str = WORDS, **table: Any) -> Talk:
    made = only(*actions, LATER, declare=[CAUSE, NAME])
    model = {"risk": CALM, "ai_say_open": {"content": "讲。"}, "ai_ask": asked("嗯？"), "perceive": perceived, **table}
    talk = Talk(made, model)
    talk.say(words)
    return talk


def replies(talk: Talk) -> list[tuple[str, bool, bool, list[str]]]:
    return [(e.task, e.speculative, e.redone, e.why) for e in talk.happened("replied")]


def reads(text: str) -> Node:
    return ai_ask(text, "评分", question="几分？")


# when it is made again


def test_what_its_texts_read_has_changed() -> None:
    talk = hold(reads("结合{起因}问评分"), ai_ask=[asked("那是怎么回事？"), asked("换部门以后是几分？")])
    first, second = tasks(talk, "ai_ask")
    assert (first.key, second.key) == ("1 ai_ask", "4 ai_ask again")
    assert (first.values["content"], second.values["content"]) == ("结合（没谈到）问评分", "结合换了部门问评分")
    assert talk.said == ["换部门以后是几分？"]
    assert replies(talk) == [("ai_ask", True, True, ["content"])]
    assert last(talk, "起因") == "换了部门"


@pytest.mark.parametrize(
    ("action", "table"),
    [
        (reads("问评分"), {}),
        (ask("几分？", "评分"), {"ask": replied(False, "几分？")}),
        (ai_say("讲讲", max_rounds=3), {"ai_say": explained()}),
        (ai_say("讲讲"), {"ai_say_ack": {"content": "嗯。"}}),
    ],
    ids=["ai_ask", "ask", "ai_say", "ai_say_ack"],
)
def test_what_only_says_the_newest_words_again_changes_nothing(action: Node, table: Data) -> None:
    talk = hold(action, **table)
    ((_, speculative, redone, why),) = replies(talk)
    assert (speculative, redone, why) == (True, False, [])
    assert [task.template for task in talk.asked if task.key.endswith("again")] == []
    assert last(talk, "起因") == "换了部门"


def test_a_correction_of_what_it_reads() -> None:
    made = only(ask("怎么称呼你？", "称呼"), ai_say("给{称呼}讲讲", max_rounds=3), declare=[NAME])
    right = {"holds": [], "values": [{"name": "称呼", "value": "小雨", "evidence": "叫我小雨"}]}
    table = {
        "risk": CALM,
        "ask": replied(values=values(称呼=("小鱼", "小鱼"))),
        "ai_say_open": {"content": "讲。好吗？"},
        "ai_say": [explained(content="小鱼，再讲。"), explained(content="小雨，再讲。")],
        "perceive": right,
    }
    talk = Talk(made, table)
    talk.say("小鱼")
    talk.say("错了，叫我小雨")
    assert talk.said == ["小雨，再讲。"]
    assert replies(talk)[-1] == ("ai_say", True, True, ["topic_content"])


def test_it_is_made_again_once() -> None:
    """Whatever the second one comes to, it stands."""
    talk = hold(reads("结合{起因}问评分"), ai_ask=[asked("一？"), asked("二？"), asked("三？")])
    assert len(tasks(talk, "ai_ask")) == 2
    assert talk.said == ["二？"]


def test_where_the_second_fails_the_first_has_decided_but_its_words_are_not_said() -> None:
    first = asked("说说看吧。", "YES", values=values(评分=(8, "八分")))
    talk = hold(reads("结合{起因}问评分"), ai_ask=[first, None])
    assert last(talk, "评分") == 8
    assert "说说看吧。" not in "\n".join(talk.said)
    assert talk.said[-1].endswith("那阵子有什么变动？")
    assert replies(talk) == [("ai_ask", True, True, ["content"])]


def test_where_the_first_failed_the_script_speaks_and_knows_what_was_told() -> None:
    action = ai_ask("结合{起因}问评分", "评分", question="{起因}以后几分？")
    talk = hold(action, ai_ask=None)
    assert len(tasks(talk, "ai_ask")) == 1
    assert replies(talk) == [("ai_ask", True, False, [])]


def test_nothing_perceived_nothing_again() -> None:
    talk = hold(reads("结合{起因}问评分"), perceived=NOTHING)
    assert replies(talk) == [("ai_ask", True, False, [])]


def test_with_nothing_beside_it_it_is_no_speculation() -> None:
    talk = Talk(only(reads("问评分")), {"risk": CALM, "ai_ask": asked("嗯？")})
    talk.say("八分")
    assert replies(talk) == [("ai_ask", False, False, [])]


def test_words_that_come_second_to_a_gentle_question_are_not_made_again() -> None:
    """A watch word puts a question of its own into the flow; the reply is not said."""
    talk = hold(reads("结合{起因}问评分"), words="活着没意思，换了部门以后")
    assert len(tasks(talk, "ai_ask")) == 1
    assert last(talk, "起因") == "换了部门"


def test_what_the_script_does_not_name_is_not_read() -> None:
    talk = hold(put("别的", "一"), reads("问{别的}的评分"))
    assert [redone for _, _, redone, _ in replies(talk)] == [False]


# templates of a project's own


TEMPLATE = """---
id: ai_ask
version: 1
locale: zh-CN
inputs: [content, output_format, chat_history, facts]
---
了解：{%content%}（NAMED）
{%output_format%}
"""


@pytest.mark.parametrize(
    ("place", "named", "redone"),
    [
        ("own", "{起因}", True),
        ("own", "无", False),
        ("default", "{起因}", True),
        ("other", "{起因}", False),
    ],
)
def test_a_template_that_names_the_variable_reads_it(place: str, named: str, redone: bool) -> None:
    text = """
sessions:
  - session: s
    id: s
    template_scheme: own
    declare: [{var: 起因, type: text, define: 变动}]
    phases:
      - phase: p
        steps:
          - topic: t
            actions:
              - {type: ai_ask, content: 问评分, question: 几分？, output: [{get: 评分}]}
              - {type: ask, content: 变动？, output: [{get: 起因}]}
"""
    files = {
        "project.yaml": "id: local\n",
        "prompts/own/say.zh-CN.md": "无",
        f"prompts/{place}/ai_ask.zh-CN.md": TEMPLATE.replace("NAMED", named),
    }
    talk = Talk(compile_text(text, files=files), {"risk": CALM, "ai_ask": asked("嗯？"), "perceive": TOLD})
    talk.say(WORDS)
    assert replies(talk) == [("ai_ask", True, redone, ["起因"] if redone else [])]


def test_late_words_are_read_anew_with_what_they_correct() -> None:
    """They belong to an answer that was given; the question of that one reads a name that they put right."""
    first = ask("怎么称呼你？", "称呼")
    second = ask("{称呼}，那阵子有什么变动？", {"get": "起因", "define": "{称呼}说的变动"})
    made = script(phase("P", topic("T", first, second, ask("然后？", "x"))), declare=[NAME, CAUSE])
    right = {"holds": [], "values": [{"name": "称呼", "value": "小雨", "evidence": "叫我小雨"}]}

    def mind(task: Task) -> Any:
        if task.template == "perceive":
            return right if "称呼" in task.values["facts"] else NOTHING
        return replied(values=values(称呼=("小鱼", "小鱼"))) if task.template == "ask" else CALM

    talk = Talk(made, mind)
    talk.say("小鱼")
    seen = talk.state.messages
    talk.say("换了部门")
    talk.say("对了，叫我小雨", after=seen)
    late = [task for task in talk.asked if "late" in task.key]
    assert [task.key.rpartition(" ")[2] for task in late] == ["late", "again"]
    assert ["小雨" in task.values["outputs"] for task in late] == [False, True]


@pytest.mark.parametrize(
    "held", ["cbt/first_assessment contradicting", "cbt/abc_intro confused", "cbt/mood_check_en at_risk"]
)
def test_a_reply_that_stands_unasked_would_be_asked_for_in_the_same_words(
    held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing has come in between, the task is not built a second time: it would be the same."""
    name, persona = held.split()
    stands: list[bool] = []
    differ: list[list[str]] = []
    is_current, differences = speculation.is_current, speculation.differences

    def anew(work: Any, context: Any) -> bool:
        stands.append(is_current(work, context))
        return False

    def compared(before: Task, after: Task, templates: Any) -> list[str]:
        differ.append(differences(before, after, templates) if stands[-1] else [])
        return differences(before, after, templates)

    monkeypatch.setattr(speculation, "is_current", anew)
    monkeypatch.setattr(speculation, "differences", compared)
    whole_session(Job(name, persona, True, 1))
    assert any(stands)
    assert not any(differ)
