"""An item is heard as a session hears it: what is written with proof is known, what is declined is not asked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.beginnings import (
    HOME,
    HOURS,
    NAME,
    answering,
    beginning,
    choosing,
    items,
    refusal,
    reply,
    session,
)
from tests.evals.dialogues import Row

from heartrule.evals.extraction_answers import as_text
from heartrule.evals.labelled_files import BadFile
from heartrule.evals.listening_session import Outcome, Session
from heartrule.evals.session_run import unanswered

TALK = beginning(
    "问怎么称呼你？",
    "答阿宁",
    "问阿宁，今天想聊什么？",
    "答睡不好，就三四个小时",
    "问听着很累。",
    "答嗯，我先生都怕我了",
    told={"称呼": True, "睡几小时": True, "同住": "part"},
)


def heard(folder: Path, row: Row, stretch: str, listen: str | None = None) -> Outcome:
    return asyncio.run(session(folder, row).held(answering(stretch, listen)))


def nothing(done: int, of: int) -> None:
    pass


def test_all_that_is_wanted_is_one_stretch_of_talk(tmp_path: Path) -> None:
    asked = unanswered([session(tmp_path, TALK)], {}, nothing)
    assert {"one.stretch", "one.listen"} <= set(asked)
    text = as_text(asked["one.stretch"])
    for line in ("阿宁，今天想聊什么？", "睡不好，就三四个小时", "嗯，我先生都怕我了", "- 称呼：", "- 睡几小时"):
        assert line in text
    assert text.index("睡不好") < text.index("我先生")


def test_what_was_told_earlier_counts_with_its_quote(tmp_path: Path) -> None:
    values = {"称呼": ("阿宁", "阿宁"), "睡几小时": (3, "就三四个小时")}
    found = heard(tmp_path, TALK, reply(values))
    assert found.known == {"称呼": "阿宁", "睡几小时": "就三四个小时"}
    assert (found.refused, found.passed) == (set(), {"称呼", "睡几小时"})


def test_what_nobody_said_is_not_known(tmp_path: Path) -> None:
    assert heard(tmp_path, TALK, reply({"同住": ("爸妈", "跟爸妈住")})).known == {}


def test_what_is_asked_next(tmp_path: Path) -> None:
    assert heard(tmp_path, TALK, reply(asks="同住", content="家里还有谁？")).asks == "同住"
    assert heard(tmp_path, TALK, reply(asks="follow", content="他怕什么？")).asks == ""


def test_what_is_known_is_asked_no_more(tmp_path: Path) -> None:
    found = heard(tmp_path, TALK, reply({"称呼": ("阿宁", "阿宁")}, asks="称呼", content="怎么称呼你？"))
    assert found.asks != "称呼"


def test_a_refusal_that_the_reply_reads(tmp_path: Path) -> None:
    row = refusal("跟谁住？", "这个不想说，叫我阿宁就好", declines=True, covers=["同住"])
    found = heard(tmp_path, row, reply({"称呼": ("阿宁", "叫我阿宁就好")}, declined=["同住"]))
    assert (found.refused, set(found.known)) == ({"同住"}, {"称呼"})
    assert found.asks != "同住"


def test_a_boundary_that_the_look_beside_it_reads(tmp_path: Path) -> None:
    row = refusal("叫什么？", "阿宁。家里的别问", declines=False, covers=["同住"], boundary="家里", wanted=[NAME, HOME])
    note = {"kind": "boundary", "text": "不谈家里", "evidence": "家里的别问", "covers": ["同住"]}
    found = heard(
        tmp_path,
        row,
        reply({"称呼": ("阿宁", "阿宁")}),
        json.dumps({"values": [], "notes": [note]}, ensure_ascii=False),
    )
    assert found.refused == {"同住"}


def test_the_first_that_is_wanted_is_what_was_asked(tmp_path: Path) -> None:
    each = session(tmp_path, refusal("跟谁住？", "跳过", declines=True, covers=["同住"]))
    assert each.world.state.running.action.asking == "同住"  # type: ignore[union-attr]
    assert asyncio.run(each.held(answering(reply(declined=[])))).refused == {"同住"}, "the word alone says so"


@pytest.mark.parametrize(("text", "picked"), [("可以，开始吧", "开始"), ("今天先不聊了", "改天"), ("几点了", None)])
def test_a_choice_by_its_label(tmp_path: Path, text: str, picked: str | None) -> None:
    each = session(tmp_path, choosing(text, picked))
    assert each.world.history[0].text == "这样可以吗？"
    assert asyncio.run(each.held(answering(reply()))) == Outcome({}, picked=picked)


def test_without_a_model_rules_read_what_was_asked(tmp_path: Path) -> None:
    row = beginning("问睡几个小时？", "答8个小时", told={"睡几小时": True, "称呼": False}, wanted=[HOURS, NAME])
    each = Session.of(items(tmp_path, row)[0], model=False)
    assert unanswered([each], {}, nothing) == {}
    assert asyncio.run(each.held(answering(reply()))).known.keys() <= {"睡几小时"}


def test_english_too(tmp_path: Path) -> None:
    wanted = [{"name": "age", "type": "integer", "define": "the age", "range": [0, 120], "question": "How old?"}, NAME]
    row = beginning("问Hello?", "答im 34", told={"age": True, "称呼": False}, wanted=wanted, lang="en")
    text = as_text(unanswered([session(tmp_path, row)], {}, nothing)["one.stretch"])
    assert "im 34" in text
    assert "来访者" not in text
    assert heard(tmp_path, row, reply({"age": (34, "im 34")}, content="Thanks.")).known == {"age": "im 34"}


def test_braces_in_what_was_said_are_words(tmp_path: Path) -> None:
    wanted: list[Any] = [{**NAME, "question": "怎么称呼{你}？"}, HOME]
    row = beginning("问你好{x}", "答阿宁", told={"称呼": True, "同住": False}, wanted=wanted)
    assert heard(tmp_path, row, reply({"称呼": ("阿宁", "阿宁")})).known == {"称呼": "阿宁"}
    assert (
        asyncio.run(session(tmp_path, choosing("好", None, said_before="{x}？")).held(answering(reply()))) is not None
    )


def test_what_makes_no_script_is_located(tmp_path: Path) -> None:
    row = beginning(
        "问你好", "答阿宁", told={"称呼": True, "分": False}, wanted=[NAME, {"name": "分", "type": "grade"}]
    )
    with pytest.raises(BadFile) as caught:
        session(tmp_path, row)
    assert (caught.value.why, caught.value.line) == ("bad_script", 1)
