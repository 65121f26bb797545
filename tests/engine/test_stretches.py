"""Stretches of talk: led by the model in any order, within what code keeps; literal without one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Data, Node, ai_ask, asked, exits, get, last, tasks, values, written
from tests.engine.scripts import ask, check, only, phase, say, script, skill, topic

from heartrule.engine.session.tasks import Task
from heartrule.llm.prompt import render, transcript, whole_transcript
from heartrule.testing.talk import Talk

OPENING: Data = {"asks": "难处", "content": "今天来，最想说的是什么？"}
TROUBLE: Node = {"var": "难处", "type": "text", "define": "眼下最难的事"}
ONSET: Node = {"var": "起病", "type": "text", "define": "从什么时候开始"}
WEIGHT: Node = {"var": "轻重", "type": "integer", "range": [0, 10], "ends": ["没有", "最强"], "define": "难受几分"}
SLEEP: Node = {"var": "睡眠", "type": "text", "define": "睡得怎样"}
DECLARED = [TROUBLE, ONSET, WEIGHT, SLEEP]
TROUBLE_ASKED, ONSET_ASKED, WEIGHT_ASKED = "眼下最难的是什么？", "从什么时候开始的？", "如果 10 是最难受，有几分？"
SLEEP_ASKED = "睡得怎么样？"
ITEMS = (
    get("难处", question=TROUBLE_ASKED),
    get("起病", question=ONSET_ASKED),
    get("轻重", question=WEIGHT_ASKED, required=False),
)


def stretch(*items: str | Node, **more: Any) -> Node:
    return ai_ask("弄清眼下的难处", *(items or ITEMS), id="trouble", **more)


def reply(content: str = "后来呢？", asks: str = "", end: bool = False, **more: Any) -> Data:
    """What a turn of a stretch is answered with; ``found`` are its values."""
    found = more.pop("found", {})
    return {"values": found, "asks": asks, "EXIT": "YES" if end else "NO", "content": content, **more}


def heard(*noted: Data, **found: tuple[Any, str]) -> Data:
    """What is noted and found beside it."""
    said = [{"name": name, "value": value, "evidence": quote} for name, (value, quote) in found.items()]
    return {"values": said, "notes": list(noted), "holds": []}


def hold(*replies: Any, words: tuple[str, ...] = (), actions: tuple[Node, ...] = (), **more: Any) -> Talk:
    """A stretch and what stands behind it; ``replies`` begin with the one behind the opening."""
    listens = more.pop("listen", heard())
    model = {"risk": CALM, "stretch": [more.pop("opening", OPENING), *replies], "listen": listens, **more}
    talk = Talk(only(*(actions or (stretch(), say("完。"))), declare=DECLARED), model)
    for text in words:
        talk.say(text)
        check(talk)
    return talk


def told(talk: Talk, number: int = -1) -> Task:
    return tasks(talk, "stretch")[number]


def redone(talk: Talk) -> list[list[str]]:
    return [event.why for event in talk.happened("replied") if event.redone]


WHAT = "项目砸了，领导当着大家骂我"
FOUND = values(难处=("项目砸了", "项目砸了"))
BOTH = values(难处=("项目砸了", "项目砸了"), 起病=("三月", "三月开始的"))


# how it opens


def test_the_model_opens_it() -> None:
    talk = hold()
    assert talk.said == [OPENING["content"]]
    assert told(talk).kind == "generate"
    assert told(talk).values["opening"] == "yes"
    assert list(told(talk).schema["properties"]) == ["promises", "asks", "content"]


def test_what_the_first_words_promise_is_kept() -> None:
    talk = hold(reply(), opening={**OPENING, "promises": ["回来谈铅山"]}, words=(WHAT,))
    assert [each.text for each in talk.state.case if each.kind == "promise"] == ["回来谈铅山"]


def test_the_script_s_own_question_opens_it() -> None:
    talk = hold(actions=(stretch(question="说说看？"),))
    assert talk.said == ["说说看？"]
    assert talk.asked == []


@pytest.mark.parametrize("content", ["今天辛苦了。", ""])
def test_an_opening_that_asks_nothing_has_the_first_question_behind_it(content: str) -> None:
    talk = hold(opening={"asks": "", "content": content})
    assert talk.said == ["\n".join(filter(None, [content, TROUBLE_ASKED]))]


def test_where_nobody_opens_the_items_ask_for_themselves() -> None:
    talk = hold(None, opening=None, words=(WHAT,))
    assert talk.said[-1].endswith(ONSET_ASKED)
    assert last(talk, "难处") == WHAT


# what it takes in


def test_values_come_in_any_order() -> None:
    talk = hold(
        reply("三月发生了什么？", "难处", found=values(起病=("三月", "三月开始的"))),
        reply("听着真难堪。", end=True, found=FOUND),
        words=("三月开始的", WHAT),
    )
    assert [written(talk, name)[0][:2] for name in ("起病", "难处")] == [("三月", "json"), ("项目砸了", "json")]
    assert talk.ended
    assert talk.said == ["听着真难堪。", "完。"]


def test_its_prompt_says_what_is_open_and_what_is_needed() -> None:
    talk = hold(reply(found=FOUND), reply(), words=(WHAT, "嗯"))
    assert told(talk, 1).values["open"] == "*难处、*起病、轻重"
    assert told(talk, 2).values["open"] == "*起病、轻重"
    assert told(talk, 2).values["closed"] == "难处"
    assert "第2轮" in told(talk, 2).values["pace"]


def test_what_is_sensitive_comes_late() -> None:
    items = (get("难处", sensitive=True), get("起病"), get("轻重", required=False))
    talk = hold(reply(), words=("嗯",), actions=(stretch(*items),))
    assert told(talk).values["open"] == "*起病、*难处、轻重"


@pytest.mark.parametrize(
    ("number", "words", "kept"),
    [(8, "七十五，满分一百", [8]), (7, "七分半吧", [7]), (8, "七分半吧", [8]), (3, "七十五", []), (9, "七分半吧", [])],
)
def test_a_whole_number_may_be_what_was_told_rounded(number: int, words: str, kept: list[int]) -> None:
    talk = hold(reply(found=values(轻重=(number, words))), words=(words,))
    assert [value for value, *_ in written(talk, "轻重")] == kept


def test_what_the_reply_made_once_more_has_read_counts() -> None:
    """The first one had no quote for it."""
    talk = hold(
        reply("好，先到这里。", end=True, found=FOUND),
        reply("三月起的，好，先到这里。", end=True, found=values(起病=("三月", "三月开始的"))),
        words=(WHAT + "，三月开始的",),
    )
    assert len(redone(talk)) == 1
    assert last(talk, "起病") == "三月"
    assert talk.ended


def test_a_value_without_proof_is_none() -> None:
    talk = hold(reply(found=values(难处=("失恋", "我失恋了"))), words=(WHAT,))
    assert written(talk, "难处") == []


# what is not asked


def test_what_the_same_words_have_told_is_not_asked() -> None:
    """The reply is made once more with the reason; what the first one found stands."""
    first = reply("从什么时候开始的呢？", "起病", found=BOTH)
    talk = hold(first, reply("那有几分难受？", "轻重"), words=(f"{WHAT}，三月开始的",))
    assert talk.said == ["那有几分难受？"]
    assert last(talk, "起病") == "三月"
    ((why,),) = redone(talk)
    assert "“起病”" in why
    assert told(talk).values["mend"] == why


def test_nor_what_perception_has_found_in_them() -> None:
    talk = hold(
        reply("从什么时候开始的呢？", "起病", found=FOUND),
        reply("那有几分难受？", "轻重"),
        listen=heard(起病=("三月", "三月开始的")),
        words=(f"{WHAT}，三月开始的",),
    )
    assert talk.said == ["那有几分难受？"]
    assert last(talk, "起病") == "三月"
    assert len(redone(talk)) == 1


def test_a_reply_that_goes_on_asking_gives_way_to_the_question_of_something_open() -> None:
    asks = reply("嗯，难堪。从什么时候开始的呢？", "起病", found=BOTH)
    talk = hold(asks, asks, words=(f"{WHAT}，三月开始的",))
    assert talk.said == [f"嗯，难堪。\n{WEIGHT_ASKED}"]
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert talk.state.running.action.asking == "轻重"


def test_what_was_told_under_another_question_is_known() -> None:
    """And where the script wants it asked anew it is open."""
    for when, names in ((None, "*难处、轻重"), ("ask", "*难处、*起病、轻重")):
        more = {"when_known": when} if when else {}
        first = ask("多久了？", "起病")
        answers = {"ask": {"understood": True, "values": values(起病=("三月", "三月")), "content": "嗯。"}}
        talk = hold(actions=(first, stretch(**more)), **answers)
        talk.say("三月")
        assert told(talk).values["open"] == names


def test_nothing_open_nothing_said() -> None:
    first = ask("怎么了？", "难处", "起病")
    answers = {"ask": {"understood": True, "values": BOTH, "content": "嗯。"}}
    talk = hold(actions=(first, stretch("难处", "起病"), say("完。")), **answers)
    talk.say(f"{WHAT}，三月开始的")
    assert talk.ended
    assert tasks(talk, "stretch") == []


# refusing


def refusals(talk: Talk) -> list[tuple[str, list[str]]]:
    return [(each.kind, each.about) for each in talk.state.case]


def test_what_was_declined_is_not_asked_again() -> None:
    asks = reply("那从什么时候开始的？", "起病", declined=["起病"])
    talk = hold(asks, reply("好，那说说别的。最难的是什么？", "难处"), words=("什么时候开始的不想说",))
    assert refusals(talk) == [("refusal", ["起病"])]
    assert talk.said == ["好，那说说别的。最难的是什么？"]
    assert told(talk).values["open"] == "*难处、轻重"
    assert "起病" in told(talk).values["closed"]


def test_skipping_declines_what_was_asked() -> None:
    talk = hold(reply("好，先不说。什么时候开始的？", "起病"), words=("跳过",))
    assert refusals(talk) == [("refusal", ["难处"])]
    talk.say("嗯")
    assert told(talk).values["open"] == "*起病、轻重"


def test_a_boundary_closes_all_that_falls_under_it() -> None:
    note = {"kind": "boundary", "text": "公司的事", "evidence": "公司的事我不想谈", "covers": ["难处", "起病", "别的"]}
    end = reply("好，公司的事不谈。那睡得怎么样？", "轻重")
    talk = hold(end, reply("嗯。", end=True), listen=[heard(note), heard()], words=("公司的事我不想谈", "还行"))
    assert refusals(talk) == [("boundary", ["难处", "起病"])]
    assert told(talk).values["open"] == "轻重"
    assert "公司的事" in told(talk).context.values["case"]
    assert talk.ended, "what is required and refused keeps nobody"


# how it ends


def test_it_does_not_end_without_what_is_required() -> None:
    talk = hold(reply("好，就到这里。", end=True), reply("从什么时候开始的？", "起病"), words=(WHAT,))
    assert not talk.ended
    assert talk.said == ["从什么时候开始的？"]
    assert "“难处”" in redone(talk)[0][0]


def test_a_reply_that_insists_is_followed_by_the_question() -> None:
    talk = hold(reply("好，就到这里。", end=True, found=FOUND), reply("好，就到这里。", end=True), words=(WHAT,))
    assert not talk.ended
    assert talk.said[-1].endswith(ONSET_ASKED)


def test_what_is_not_required_keeps_nobody() -> None:
    talk = hold(reply("嗯，先到这里。", end=True, found=BOTH), words=(f"{WHAT}，三月开始的",))
    assert talk.ended
    assert written(talk, "轻重") == []
    assert exits(talk)[-1][:2] == (True, "exit_flag")


def test_where_the_turns_just_suffice_for_what_is_needed_it_asks_for_that() -> None:
    follows, asks = reply("那一刻想到什么？", "follow"), reply("眼下最难的是什么？", "难处")
    talk = hold(follows, follows, asks, words=("嗯", "哦"), actions=(stretch(rounds="2-4"), say("完。")))
    assert talk.said == [asks["content"]]
    assert "“难处”" in redone(talk)[0][0]
    stays = hold(follows, reply("我在。"), words=("嗯", "哦"), actions=(stretch(rounds="2-4"), say("完。")))
    assert redone(stays) == [], "to stay with somebody is no detour"


def test_a_thought_that_is_followed_costs_no_turn_of_what_is_needed() -> None:
    follows = reply("那一刻想到什么？", "follow", hot=HOT, found=FOUND)
    short = (stretch(rounds="2-4"), say("完。"))
    talk = hold(follows, follows, follows, words=(f"{WHAT}，{THOUGHT}", "嗯", "哦"), actions=short)
    assert redone(talk) == []
    talk = hold(*[follows] * 9, words=(f"{WHAT}，{THOUGHT}", *"嗯哦啊咦呀唉"), actions=short)
    assert talk.ended, "two turns at most"


def test_the_last_turn_is_not_the_last_where_a_thought_comes_out_in_it() -> None:
    """A played conversation: told what weighed most in the last turn, and led on into a form."""
    short = (stretch(rounds="2-3"), say("完。"))
    out = reply("这句我想停一停。", "", hot=HOT)
    talk = hold(reply("后来呢？"), reply("后来呢？"), out, reply("嗯。"), words=("嗯", "哦", THOUGHT), actions=short)
    assert not talk.ended
    talk = hold(reply("后来呢？"), reply("后来呢？"), out | {"EXIT": "YES"}, words=("嗯", "哦", THOUGHT), actions=short)
    assert talk.ended, "unless the model itself ends there"


def test_its_prompt_says_that_the_heaviest_may_be_stayed_with_in_the_last_turn() -> None:
    talk = hold(reply(), reply(), actions=(stretch(rounds="1-2"), say("完。")), words=(WHAT, "嗯"))
    assert [each.values["last_stay"] for each in tasks(talk, "stretch")[1:3]] == ["", "yes"]


def test_at_its_limit_it_ends() -> None:
    replies = [reply("后来呢？")] * 3
    talk = hold(*replies, words=("嗯", "嗯嗯"), actions=(stretch(rounds="2-3"), say("完。")))
    assert not talk.ended
    assert told(talk).values["rounds_left"] == ""
    talk.say("就这样")
    assert told(talk).values["rounds_left"] == "0"
    assert talk.ended
    assert exits(talk)[-1] == (True, "max_rounds", "max_rounds_reached")
    assert talk.happened("topic")[-1].state == "completed"


def test_unless_said_otherwise_it_takes_twice_as_many_as_it_has_outputs() -> None:
    talk = hold(*[reply()] * 6)
    for count in range(6):
        assert not talk.ended, count
        talk.say(f"嗯{count}")
    assert talk.ended


def test_one_thing_is_asked_for_three_times_at_most() -> None:
    asks = reply("什么时候开始的？", "起病")
    talk = hold(*[asks] * 4, words=("嗯", "哦", "啊"), actions=(stretch(rounds="5-12"),))
    assert "起病" not in told(talk).values["open"] or told(talk).values["open"].count("起病") == 1
    talk.say("这个")
    assert "起病" not in told(talk).values["open"]


# what is hot


THOUGHT = "我什么都做不好"
HOT = {"quote": THOUGHT, "belief": "九成"}


def test_a_hot_thought_is_shown_and_how_it_is_met_is_the_models() -> None:
    listed = reply("从什么时候开始的？", "起病", found=FOUND)
    talk = hold(listed, reply("那会儿有几分难受？", "轻重", hot=HOT), reply(), words=(WHAT, THOUGHT))
    assert talk.said == ["那会儿有几分难受？"], "a question of the list may be what follows it"
    assert not redone(talk)
    talk.say("嗯")
    assert told(talk).values["hot"] == THOUGHT


def test_it_is_followed_in_three_turns_and_let_go() -> None:
    follows = [reply(f"那一刻想到什么{n}？", "follow", hot=HOT) for n in range(4)]
    talk = hold(*follows, reply(), words=(THOUGHT, "嗯", "是啊"), actions=(stretch(rounds="8-12"),))
    assert told(talk).values["hot"] == THOUGHT, "in the third turn"
    talk.say("唉")
    assert told(talk).values["hot"] == ""
    talk.say("算了")
    assert told(talk).values["hot"] == "", "it is not warmed again"


def test_a_thought_that_nobody_said_is_not_hot() -> None:
    talk = hold(reply("有几分？", "轻重", hot={"quote": "我活该", "belief": ""}), reply(), words=("还行", "嗯"))
    assert told(talk).values["hot"] == ""
    assert talk.state.case == []


def test_the_prompt_counts_questions_of_the_list() -> None:
    talk = hold(
        reply("什么时候？", "起病"),
        reply("几分？", "轻重"),
        reply(),
        words=("一", "二", "三"),
        actions=(stretch(rounds="5-9"),),
    )
    assert ["已连着" in task.values["pace"] for task in tasks(talk, "stretch")] == [False, False, True, True]


# techniques


TOOL = skill("两把尺", say("换把尺看看。"), ask("要是朋友呢？"), id="ruler", goal="用待朋友的尺子待自己")


def with_tool(*replies: Any, **more: Any) -> Talk:
    here = topic("T", stretch(may_use=["ruler"], rounds="5-9", **more), say("完。"))
    model = {"risk": CALM, "stretch": [OPENING, *replies], "listen": heard(), "ask": {**asked(), "understood": True}}
    return Talk(script(phase("P", here), skills=[TOOL], declare=DECLARED), model)


def test_a_technique_begins_from_it_and_comes_back() -> None:
    begins = reply("这句话很重。", "technique:ruler", found=FOUND, hot=HOT)
    talk = with_tool(begins, {"asks": "起病", "content": "回到刚才，什么时候开始的？"}, reply())
    assert "technique:ruler 两把尺（用待朋友的尺子待自己）" in told(talk).values["techniques"]
    talk.say(f"{WHAT}，{THOUGHT}")
    check(talk)
    assert talk.said == ["这句话很重。", "换把尺看看。", "要是朋友呢？"]
    talk.say("朋友的话我不会这么说")
    check(talk)
    assert talk.at == "trouble"
    assert talk.said[-1] == "回到刚才，什么时候开始的？"
    assert told(talk).values["techniques"] == "", "once"
    assert last(talk, "难处") == "项目砸了"


def test_what_may_not_be_used_does_not_begin() -> None:
    talk = with_tool(reply("来试试别的。好吗？", "technique:别的"))
    talk.say(WHAT)
    assert talk.at == "trouble"
    assert talk.said == ["来试试别的。好吗？"]


# the next stretch


def second(**more: Any) -> Node:
    return topic("U", ai_ask("了解睡眠", get("睡眠", question=SLEEP_ASKED), get("吃饭"), id="sleep", **more))


def across(*replies: Any, **more: Any) -> Talk:
    built = script(phase("P", topic("T", stretch(required=False)), second(**more)), declare=DECLARED)
    return Talk(built, {"risk": CALM, "stretch": [OPENING, *replies], "listen": heard()})


def test_one_reply_ends_it_and_opens_the_next_in_another_topic() -> None:
    talk = across(reply("这么久了，真累。夜里睡得怎么样？", end=True), reply())
    assert talk.asked[0].values["following"].startswith("了解睡眠")
    talk.say(WHAT)
    check(talk)
    assert talk.said == ["这么久了，真累。夜里睡得怎么样？"]
    assert talk.at == "sleep"
    assert [event.kept for event in talk.happened("fused")] == [True]
    talk.say("老醒")
    assert told(talk).values["content"] == "了解睡眠"


def test_a_reply_that_does_not_end_it_opens_nothing() -> None:
    talk = across(reply("夜里睡得怎么样？"))
    talk.say(WHAT)
    assert talk.at == "trouble"


# failing


def test_a_model_that_fails_loses_nothing() -> None:
    talk = hold(reply("从什么时候开始的？", "起病", found=FOUND), None, words=(WHAT, "三月"))
    assert last(talk, "难处") == "项目砸了"
    assert last(talk, "起病") == "三月"
    assert talk.said[-1].endswith(WEIGHT_ASKED)


@pytest.mark.parametrize("words", ["", "我们接着说。什么最重？"])
def test_after_an_interruption_the_model_leads_back_or_the_question_is_put_again(words: str) -> None:
    aside = skill("歇一会", say("先歇一会。"), ask("好些了吗？"), id="rest")
    watch = {
        "awareness": "吵",
        "id": "noise",
        "priority": "P1",
        "always": True,
        "at": ["answer"],
        "condition": {
            "judge": "来访者那边是不是太吵",
            "rules": {"explicit": [{"pattern": "吵死了", "reason": "说了"}]},
        },
        "then": [{"directive": "CALL_TECHNIQUE", "technique": "rest"}],
    }
    here = topic("T", stretch(), say("完。"))
    built = script(phase("P", here), skills=[aside], awareness=[watch], declare=DECLARED)
    back = {"asks": "", "content": words} if words else None
    table = {"risk": CALM, "stretch": [OPENING, reply(), back, reply("然后呢？", found=FOUND)], "listen": heard()}
    talk = Talk(built, {**table, "ask": {**asked(), "understood": True}})
    talk.say("楼上吵死了")
    assert talk.said[-1].endswith("好些了吗？")
    talk.say("好些了")
    assert talk.at == "trouble"
    assert talk.said[-1].endswith(words or "最想说的是什么？")
    talk.say(WHAT)
    assert last(talk, "难处") == "项目砸了"


# literally


def literally(words: tuple[str, ...], model: Any, **more: Any) -> Talk:
    talk = Talk(only(stretch(**more), say("完。"), declare=DECLARED), model)
    for text in words:
        talk.say(text)
        check(talk)
    return talk


def questions(talk: Talk) -> list[str]:
    said = [message.text.split("\n")[-1] for message in talk.history if message.sender == "ai"]
    return [text for text in said if text.endswith("？")]


def test_without_a_model_the_items_ask_in_their_order() -> None:
    talk = literally((WHAT, "三月", "8"), None)
    assert questions(talk) == [TROUBLE_ASKED, ONSET_ASKED, WEIGHT_ASKED]
    assert talk.ended
    assert (last(talk, "难处"), last(talk, "起病"), last(talk, "轻重")) == (WHAT, "三月", 8)


def test_and_none_that_was_refused_comes_again() -> None:
    talk = literally(("跳过", "三月", "8"), None)
    assert questions(talk) == [TROUBLE_ASKED, ONSET_ASKED, WEIGHT_ASKED]
    assert talk.ended
    assert refusals(talk) == [("refusal", ["难处"])]


def test_nor_what_is_known() -> None:
    talk = Talk(only(ask("多久了？", "起病"), stretch(), declare=DECLARED))
    talk.say("三月")
    talk.say(WHAT)
    assert questions(talk) == ["多久了？", TROUBLE_ASKED, WEIGHT_ASKED]


def test_what_is_not_required_is_asked_once() -> None:
    talk = literally((WHAT, "三月", "说不清楚啊"), None)
    assert talk.ended


def test_what_is_literal_is_said_so_whoever_could_lead() -> None:
    model = {"risk": CALM, "ai_ask": [asked("听着难堪。后来呢？", values=FOUND), None]}
    talk = literally((WHAT,), model, literal=True)
    assert talk.said == [f"听着难堪。\n{ONSET_ASKED}"]
    assert tasks(talk, "stretch") == tasks(talk, "listen") == []
    assert last(talk, "难处") == "项目砸了"
    talk.say("三月")
    assert last(talk, "起病") == "三月"


@pytest.mark.parametrize("written_as", ["6-14", "6–14", "６～１４", "6到14", {"about": 6, "most": 14}])
def test_how_long_it_is_may_be_written_in_many_ways(written_as: Any) -> None:
    talk = hold(reply(), words=("嗯",), actions=(stretch(rounds=written_as),))
    assert "大约6轮，最多14轮" in told(talk).values["pace"]


# what a question goes for, as tests of scripts see it


def asked_for(talk: Talk) -> list[list[str]]:
    return [event.names for event in talk.happened("asked_for")]


def test_each_question_of_a_stretch_is_recorded_with_what_it_goes_for() -> None:
    follows = reply("那一刻想到什么？", "follow", hot=HOT)
    talk = hold(follows, reply("什么时候开始的？", "起病", found=FOUND), words=(THOUGHT, WHAT))
    assert asked_for(talk) == [["难处"], ["起病"]], "the first question is named by the opening, the second follows"


def test_a_literal_question_is_recorded_too() -> None:
    block = {"type": "parallel_actions", "id": "both", "actions": [ask("睡得怎么样？", "睡眠")]}
    choice = {"type": "user_option", "var": "选", "choices": [{"value": "a", "label": "好"}]}
    talk = Talk(only(stretch(), block, choice, declare=DECLARED))
    for text in (WHAT, "跳过", "8", "老醒"):
        talk.say(text)
    assert asked_for(talk) == [["难处"], ["起病"], ["轻重"], ["睡眠"], ["选"]]


def test_who_speaks_goes_by_all_that_was_said_and_who_listens_by_the_last() -> None:
    """What was said first stands in the prompt that words the reply, before what changes from stretch to stretch."""
    words = ("第一句：三月", *(f"第{n}句" for n in range(2, 22)))
    talk = hold(*[reply(f"嗯{n}。") for n in range(21)], words=words, actions=(stretch(rounds="30-40"), say("完。")))
    speaks, hears = told(talk), tasks(talk, "listen")[-1]
    assert "第一句：三月" in whole_transcript(speaks.context)
    assert whole_transcript(speaks.context).endswith("第21句")
    assert "第一句：三月" not in transcript(hears.context)
    shown = render(speaks).messages[1].text
    assert shown.index("第一句：三月") < shown.index("第21句") < shown.index("【这一段】")
    assert "第一句：三月" not in render(hears).messages[-1].text
