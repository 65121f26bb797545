"""The small programs that readers run: what they print, what they take, and how they end."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest
from bench.conversations import doors
from bench.conversations.__main__ import main
from bench.conversations.record import Record
from bench.conversations.spool import of_model, of_visitor
from tests.bench.playing import own_sheet

SCHEMA = {"type": "object", "required": ["reply"]}
LONG = "\n".join(f"line {number} of a long prompt" for number in range(30))


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Record:
    monkeypatch.setattr(doors, "SIBLINGS", 0.0)
    return Record.begun(tmp_path / "talk", "ours", own_sheet(tmp_path))


def asked(talk: Record, text: str, schema: object = None) -> int:
    body = {"turn": 1, "messages": [{"role": "system", "content": text}], "schema": schema}
    return of_model(talk.folder).put(json.dumps(body))


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_all_requests_that_wait_are_printed_together(talk: Record, capsys: pytest.CaptureFixture[str]) -> None:
    asked(talk, "one", SCHEMA)
    asked(talk, "two")
    of_model(talk.folder).withdraw(asked(talk, "nobody waits for this"))
    assert main(["next-model", str(talk.folder)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("=== 0001\n[system]\none\n\n[answer with JSON of this schema")
    assert "=== 0002\n[system]\ntwo\n\n[answer with what you say" in text
    assert "nobody" not in text


def test_answers_are_typed_or_come_from_files(
    talk: Record, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    spool = of_model(talk.folder)
    asked(talk, "one", SCHEMA)
    asked(talk, "two")
    typed(monkeypatch, '=== 0001\n```json\n{"reply": "嗯"}\n```\n=== 0002\n好。\n第二行\n')
    assert main(["answer-model", str(talk.folder)]) == 0
    assert (spool.folder / "0001.answer.txt").read_text(encoding="utf-8") == '{"reply": "嗯"}'
    assert (spool.folder / "0002.answer.txt").read_text(encoding="utf-8") == "好。\n第二行"
    asked(talk, "three")
    (tmp_path / "said.txt").write_text("三", encoding="utf-8")
    talk.over("done")
    talk.close()
    assert main(["answer-model", str(talk.folder), "3", str(tmp_path / "said.txt"), "--next"]) == doors.OVER
    assert "=== OVER: done" in capsys.readouterr().out


@pytest.mark.parametrize("said", ["not json", "[1]", '{"other": 1}', ""])
def test_what_no_provider_would_let_through_is_not_taken(
    talk: Record, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(talk, "one", SCHEMA)
    typed(monkeypatch, f"=== 0001\n{said}\n")
    assert main(["answer-model", str(talk.folder)]) == doors.BAD
    assert "=== 0001 NOT TAKEN" in capsys.readouterr().out
    assert of_model(talk.folder).waiting() == [1]
    if said:
        typed(monkeypatch, f"=== 0001\n{said}\n")
        assert main(["answer-model", str(talk.folder), "--as-is"]) == 0


def test_a_short_request_leaves_out_what_was_printed_before(talk: Record, capsys: pytest.CaptureFixture[str]) -> None:
    asked(talk, f"{LONG}\nfirst end")
    main(["next-model", str(talk.folder), "--short"])
    of_model(talk.folder).answer(1, "x")
    asked(talk, f"{LONG}\nsecond end")
    capsys.readouterr()
    main(["next-model", str(talk.folder), "--short"])
    text = capsys.readouterr().out
    assert "(begins as 0001 does" in text
    assert "up to the line: line 29 of a long prompt)\nsecond end" in text
    assert "line 28 of" not in text.replace("line 29 of", "")


def test_the_sheet_is_printed_once_and_a_page_until_it_is_answered(
    talk: Record, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spool = of_visitor(talk.folder)
    spool.put("你好。")
    assert main(["next-visitor", str(talk.folder)]) == 0
    first = capsys.readouterr().out
    assert first.startswith("# 怎么扮演")
    assert "你扮演来访者林。" in first
    assert "=== PAGE 0001\n你好。" in first
    main(["next-visitor", str(talk.folder)])
    assert capsys.readouterr().out == "=== PAGE 0001\n你好。\n"
    main(["next-visitor", str(talk.folder), "--sheet"])
    assert "你扮演来访者林。" in capsys.readouterr().out
    typed(monkeypatch, "嗯\n")
    assert main(["answer-visitor", str(talk.folder), "--next", "--wait", "0"]) == doors.NOTHING
    assert (spool.folder / "0001.said.txt").read_text(encoding="utf-8") == "嗯\n"
    typed(monkeypatch, "再说")
    assert main(["answer-visitor", str(talk.folder)]) == doors.BAD
    spool.put("再见。\n\n（会谈结束了。）")
    talk.over("it came to its end")
    assert main(["next-visitor", str(talk.folder)]) == 0
    assert "再见。" in capsys.readouterr().out
    assert main(["next-visitor", str(talk.folder)]) == doors.OVER
    assert capsys.readouterr().out == "=== OVER: it came to its end\n"


def test_nothing_in_time_is_no_end(talk: Record, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["next-model", str(talk.folder), "--wait", "0"]) == doors.NOTHING
    assert main(["next-visitor", str(talk.folder), "--wait", "0"]) == doors.NOTHING
    assert "run this again" in capsys.readouterr().out


def test_what_cannot_be_played_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plain", "nobody", "--out", str(tmp_path / "x")]) == doors.BAD
    assert "there is no sheet nobody; ours are: a-abc-" in capsys.readouterr().err
    file = tmp_path / "lin.md"
    own_sheet(tmp_path)
    assert main(["plain", str(file), "--out", str(tmp_path / "x"), "--prompt", "xx"]) == doors.BAD
    assert "there are: en_abc" in capsys.readouterr().err
    assert not os.path.exists(tmp_path / "x")
