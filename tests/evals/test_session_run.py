"""Prompts are given out by id, answers taken in by hash, and what an answer makes a session ask is answered next."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tests.evals.beginnings import beginning, items, quiet, recorded, reply

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.evals.extraction_answers import RecordedAnswer
from heartrule.evals.listening_session import Session
from heartrule.evals.session_run import ItemOutcome, PromptRun, by_answers, by_rules, unanswered
from heartrule.llm.model import Model

TOLD = {"称呼": True, "睡几小时": False, "同住": False}
ROWS = [
    beginning("问怎么称呼你？", "答阿宁", told=TOLD),
    beginning("问怎么称呼你？", "答小满", told=TOLD, id="two"),
]
NOTHING = '{"values": [], "notes": []}'


def sessions(folder: Path) -> list[Session]:
    return [Session.of(each) for each in items(folder, *ROWS)]


def test_every_prompt_has_an_id_of_its_own(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    asked = unanswered(sessions(tmp_path), {}, lambda done, of: told.append((done, of)))
    assert sorted(asked) == ["one.listen", "one.stretch", "two.listen", "two.stretch"]
    assert told == [(1, 2), (2, 2)]


def test_answers_are_read_by_id(tmp_path: Path) -> None:
    held = sessions(tmp_path)
    rows = recorded(
        held, {"one.stretch": reply({"称呼": ("阿宁", "阿宁")}), "one.listen": NOTHING, "two.stretch": "嗯"}
    )
    one, two = by_answers(held, rows, quiet)
    assert (set(one.outcome.known), one.came) == ({"称呼"}, {"one.stretch": "read", "one.listen": "read"})
    assert two.came == {"two.stretch": "unread", "two.listen": "unanswered"}
    assert set(unanswered(held, rows, quiet)) == {"two.listen"}


def test_an_answer_to_another_prompt_is_stale(tmp_path: Path) -> None:
    held = sessions(tmp_path)
    rows = recorded(held, {"one.stretch": reply({"称呼": ("阿宁", "阿宁")})})
    rows["one.stretch"] = RecordedAnswer("one.stretch", "another", rows["one.stretch"].text)
    one = by_answers(held, rows, quiet)[0]
    assert (one.came["one.stretch"], one.outcome.known) == ("stale", {})
    assert "one.stretch" in unanswered(held, rows, quiet)


def test_what_an_answer_makes_it_ask_is_asked_next(tmp_path: Path) -> None:
    held = sessions(tmp_path)[:1]
    first = reply({"称呼": ("阿宁", "阿宁")}, asks="称呼", content="怎么称呼你？")
    rows = recorded(held, {"one.stretch": first, "one.listen": NOTHING})
    asked = unanswered(held, rows, quiet)
    assert list(asked) == ["one.stretch.2"], "what is known was asked again: the reply is made once more"
    rows["one.stretch.2"] = RecordedAnswer(
        "one.stretch.2", asked["one.stretch.2"].hash, reply(asks="同住", content="家里还有谁？")
    )
    (one,) = by_answers(held, rows, quiet)
    assert (one.outcome.asks, set(one.outcome.known)) == ("同住", {"称呼"})
    assert unanswered(held, rows, quiet) == {}


def test_without_a_model_nothing_is_asked(tmp_path: Path) -> None:
    found = by_rules([Session.of(each, model=False) for each in items(tmp_path, *ROWS)], quiet)
    assert [(each.item.id, each.came) for each in found] == [("one", {}), ("two", {})]


class Mind:
    """Knows the name, at the second attempt."""

    async def answer(self, tasks: Sequence[Task], *, script: Any) -> Mapping[str, Answer]:
        return {task.key: self._one(task) for task in tasks}

    def _one(self, task: Task) -> Answer:
        if task.template != "stretch":
            return Answer(task.key, "failed")
        name = next(line.text for line in task.context.history if line.speaker == "person")
        data = {"values": {"称呼": {"value": name, "evidence": name}}, "asks": "", "EXIT": "NO", "content": "嗯。"}
        rejected = Attempt(1, "rejected", "not JSON", "{", ())
        return Answer(task.key, "answered", data, (rejected, Attempt(2, "ok", "", "…", ())))


def test_a_model_is_asked_side_by_side(tmp_path: Path) -> None:
    told: list[int] = []
    asking = PromptRun(cast("Model", Mind()), 2, lambda done, of: told.append(done))
    found: list[ItemOutcome] = asyncio.run(asking.run(sessions(tmp_path)))
    assert [set(each.outcome.known) for each in found] == [{"称呼"}, {"称呼"}]
    assert found[0].came == {"one.stretch": "unread", "one.listen": "unanswered"}, "the first attempt counts"
    assert told == [1, 2]
