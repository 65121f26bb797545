"""Items held with recorded answers, with a model over the wire, and by rules; what counts as right at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.evals.dialogues import held, items, lines, recorded, reply, row

from heartrule.evals import extraction_answers, extraction_run
from heartrule.evals.extraction_answers import NOTE, RecordedAnswer, as_text, gathered, prompt_of, prompts_of, rendered
from heartrule.evals.extraction_round import Round, WrittenValue
from heartrule.evals.extraction_run import ExtractionModelRun, ItemRun
from heartrule.evals.labelled_files import BadFile
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.testing.openai_server import OpenAIServer

SCORE = [{"get": "分", "type": "integer", "define": "几分", "range": [0, 10]}]
SAID = row("问几分？", "答比昨天强，六分吧，昨天三分", gold={"分": 6}, output=SCORE)
SIX = reply({"分": {"value": 6, "evidence": "六分吧"}})


def quiet(done: int, of: int) -> None:
    pass


def once(each: Round, answers: Mapping[str, RecordedAnswer]) -> ItemRun:
    return asyncio.run(extraction_run.by_answers([each], answers, quiet))[0]


def test_a_recorded_answer_is_read_as_a_providers_is(tmp_path: Path) -> None:
    each = held(tmp_path, SAID)
    for text in (SIX, f"```json\n{SIX}\n```", f"<think>六分？</think>{SIX}", SIX[:-1]):
        found = once(each, recorded(each, text))
        assert (found.came, found.success) == ("read", True), text
        assert found.written == {"分": WrittenValue(6, "json")}


def test_a_wrong_value_a_missed_and_an_invented_one(tmp_path: Path) -> None:
    each = held(tmp_path, SAID)
    wrong = once(each, recorded(each, reply({"分": {"value": 3, "evidence": "昨天三分"}})))
    assert (dict(wrong.verdicts), wrong.success) == ({"分": "wrong"}, False)
    missed = once(each, recorded(each, reply()))
    assert (dict(missed.verdicts), missed.success) == ({"分": "missed"}, False)
    vague = held(tmp_path, row("问几分？", "答今天下雨了", gold={"分": None}, missing={"分": "vague"}, output=SCORE))
    invented = once(vague, recorded(vague, reply({"分": {"value": 5, "evidence": "今天下雨了"}})))
    assert (dict(invented.verdicts), invented.success) == ({"分": "invented"}, False)
    assert once(vague, recorded(vague, reply())).success


def test_an_answer_that_cannot_be_read_is_no_success_whatever_the_rules_find(tmp_path: Path) -> None:
    each = held(tmp_path, row("问几分？", "答6分", gold={"分": 6}, output=SCORE))
    for text in ("六分。", "", "[]", '{"values": {}}'):
        found = once(each, recorded(each, text))
        assert (found.came, found.success) == ("unread", False), text
        assert found.written == {"分": WrittenValue(6, "rules")}, "a session writes it all the same"


def test_an_answer_to_another_prompt_is_stale(tmp_path: Path) -> None:
    each = held(tmp_path, SAID)
    old = {"one": replace(recorded(each, SIX)["one"], prompt="0" * 64)}
    found = once(each, old)
    assert (found.came, found.success, dict(found.written)) == ("stale", False, {})


def test_no_answer_is_no_success(tmp_path: Path) -> None:
    each = held(tmp_path, row("问几分？", "答6分", gold={"分": 6}, output=SCORE))
    found = once(each, {})
    assert (found.came, found.success, dict(found.verdicts)) == ("unanswered", False, {"分": "right"})


def test_what_was_known_still_stands(tmp_path: Path) -> None:
    known = {
        **SAID,
        "begins": 0,
        "before": {"分": 6},
        "dialogue": SAID["dialogue"] + [{"speaker": "ai", "text": "还有呢？"}],
    }
    known["dialogue"] = [*known["dialogue"], {"speaker": "person", "text": "没有了"}]
    each = held(tmp_path, known)
    found = once(each, recorded(each, reply()))
    assert (found.success, dict(found.verdicts)) == (True, {"分": "right"})


def test_what_was_known_and_is_not_right_any_more_was_missed(tmp_path: Path) -> None:
    more = lines("问再说一遍？", "答不是六分，三分")
    known = {**SAID, "begins": 0, "before": {"分": 6}, "gold": {"分": 3}, "dialogue": [*SAID["dialogue"], *more]}
    each = held(tmp_path, known)
    assert dict(once(each, recorded(each, reply())).verdicts) == {"分": "missed"}
    three = once(each, recorded(each, reply({"分": {"value": 3, "evidence": "三分"}})))
    assert (dict(three.verdicts), three.success) == ({"分": "right"}, True)
    two = once(each, recorded(each, reply({"分": {"value": 2, "evidence": "三分"}})))
    assert dict(two.verdicts) == {"分": "missed"}, "a quote that says three proves no two"


def test_rules_alone(tmp_path: Path) -> None:
    rounds = [
        Round.of(item)
        for item in items(
            tmp_path,
            SAID,
            {
                **SAID,
                "id": "two",
                "dialogue": [{"speaker": "ai", "text": "几分？"}, {"speaker": "person", "text": "6"}],
            },
        )
    ]
    told: list[tuple[int, int]] = []
    found = extraction_run.by_rules(rounds, lambda done, of: told.append((done, of)))
    assert [(each.came, each.success) for each in found] == [("rules", False), ("rules", True)]
    assert told == [(1, 2), (2, 2)]


# a model


def asked(rounds: list[Round], mind: Callable[[Any], str]) -> tuple[list[ItemRun], list[Any]]:
    with OpenAIServer(mind, latency=0) as server:

        async def run() -> list[ItemRun]:
            model = Model([OpenAIWire(server.url, "stub")], Policy())
            try:
                return await ExtractionModelRun(model, 2).run(rounds)
            finally:
                await model.aclose()

        return asyncio.run(run()), list(server.bodies)


def test_a_model_is_asked_once_about_each(tmp_path: Path) -> None:
    rounds = [Round.of(item) for item in items(tmp_path, SAID, {**SAID, "id": "two"})]
    found, bodies = asked(rounds, lambda body: SIX)
    assert [(each.came, each.success) for each in found] == [("read", True)] * 2
    assert len(bodies) == 2
    prompt = prompt_of(rounds[0])
    assert prompt is not None
    assert [each["content"] for each in bodies[0]["messages"]] == [each.text for each in prompt.messages]


def test_an_answer_at_the_second_attempt_is_right_and_no_success(tmp_path: Path) -> None:
    sent: list[int] = []

    def mind(body: Any) -> str:
        sent.append(1)
        return "六分。" if len(sent) == 1 else SIX

    (found,), bodies = asked([held(tmp_path, SAID)], mind)
    assert (found.came, dict(found.verdicts), found.success) == ("unread", {"分": "right"}, False)
    assert len(bodies) == 2


def test_a_model_that_never_answers(tmp_path: Path) -> None:
    (found,), _ = asked([held(tmp_path, SAID)], lambda body: "六分。")
    assert (found.came, found.success) == ("unread", False)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    (found,) = asyncio.run(ExtractionModelRun(Model()).run([held(tmp_path, SAID)]))
    assert (found.came, found.success) == ("unanswered", False)


# recording


def answer(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def two(folder: Path) -> list[Round]:
    return [Round.of(item) for item in items(folder, SAID, {**SAID, "id": "two"})]


def test_prompts_are_written_as_they_are_sent(tmp_path: Path) -> None:
    rounds = two(tmp_path)
    assert rendered(prompts_of(rounds), tmp_path / "new" / "prompts") == 2
    prompt = prompt_of(rounds[0])
    assert prompt is not None
    text = (tmp_path / "new" / "prompts" / "one.txt").read_text(encoding="utf-8")
    assert text == as_text(prompt)
    assert text.startswith(f"[system]\n{prompt.messages[0].text}")
    assert text.endswith(f"[user]\n{prompt.messages[1].text}\n")


def test_answers_are_gathered_with_the_hashes_of_their_prompts(tmp_path: Path) -> None:
    rounds = two(tmp_path)
    rendered(prompts_of(rounds), tmp_path / "prompts")
    found = gathered(prompts_of(rounds), answer(tmp_path / "answers", "one", SIX), tmp_path / "prompts")
    assert (found.missing, found.changed) == (["two"], [])
    extraction_answers.dump_answers(tmp_path / "answers.jsonl", found.answers)
    (line,) = (tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    prompt = prompt_of(rounds[0])
    assert prompt is not None
    assert json.loads(line) == {"id": "one", "prompt": prompt.hash, "answer": SIX, "note": NOTE}
    rows = extraction_answers.load_answers(tmp_path / "answers.jsonl")
    assert [each.came for each in asyncio.run(extraction_run.by_answers(rounds, rows, quiet))] == ["read", "unanswered"]


def test_an_answer_to_a_prompt_that_is_another_by_now_is_left_out(tmp_path: Path) -> None:
    rounds = two(tmp_path)
    rendered(prompts_of(rounds), tmp_path / "prompts")
    answer(answer(tmp_path / "answers", "one", SIX), "two", SIX)
    path = tmp_path / "prompts" / "one.txt"
    path.write_text(path.read_text(encoding="utf-8").replace("逐字", "大致"), encoding="utf-8")
    found = gathered(prompts_of(rounds), tmp_path / "answers", tmp_path / "prompts")
    assert ([each.id for each in found.answers], found.missing, found.changed) == (["two"], [], ["one"])
    path.unlink()
    assert gathered(prompts_of(rounds), tmp_path / "answers", tmp_path / "prompts").changed == ["one"]
    assert gathered(prompts_of(rounds), tmp_path / "answers", None).changed == []


def test_an_answer_that_is_empty_or_no_text_is_missing(tmp_path: Path) -> None:
    rounds = two(tmp_path)
    answer(tmp_path / "answers", "one", " \n")
    (tmp_path / "answers" / "two.json").write_bytes(b"\xff\xfe\x00")
    assert gathered(prompts_of(rounds), tmp_path / "answers", None).missing == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "not_json"), ("[]", "bad_answer"), ('{"id": "a", "prompt": "b"}', "bad_answer"), ("\ud800", "")],
)
def test_answers_that_cannot_be_read(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(BadFile) as caught:
        extraction_answers.load_answers(path)
    assert caught.value.why == (why or "unread")


def test_the_later_of_two_answers_counts(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    extraction_answers.dump_answers(path, [RecordedAnswer("one", "p", "1"), RecordedAnswer("one", "p", "2")])
    assert extraction_answers.load_answers(path)["one"].text == "2"
    assert "秘密" not in repr(RecordedAnswer("one", "p", "秘密"))


def test_a_value_that_took_a_second_call_is_no_success(tmp_path: Path) -> None:
    found = once(held(tmp_path, SAID), recorded(held(tmp_path, SAID), SIX))
    assert found.success
    assert not replace(found, written={"分": WrittenValue(6, "llm")}).success
