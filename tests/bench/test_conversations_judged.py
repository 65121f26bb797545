"""Transcripts, what judges are asked and answer, and the table of it all, on small conversations made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.conversations.__main__ import main
from bench.conversations.intervals import bootstrap, wilson
from bench.conversations.judgement import ITEMS, judgement
from bench.conversations.record import Call, Record, Said, Span
from bench.conversations.spool import of_model
from bench.conversations.strip import code_of, text_of, transcript
from tests.bench.playing import own_sheet


def talk(folder: Path, side: Any, locale: str = "zh-CN") -> Path:
    """A conversation of two turns."""
    record = Record.begun(folder / side, side, own_sheet(folder))
    record.about["locale"] = locale
    record.said = [
        Said("counsellor", 1, "## 你好\n我是**小禾**，HeartRule 的助手。\n- 一\n- 二"),
        Said("counsellor", 1, "开始吗？", ["可以", "不"]),
        Said("visitor", 2, "可以吧"),
        Said("visitor", 2, "", (), [("睡得怎样", "不好")]),
        Said("counsellor", 2, "嗯。"),
    ]
    prompts = {"ours": ["a b c d", "a b c d", "a b c d e"], "plain": ["x", "x y"]}[side]
    turns = {"ours": [1, 2, 0], "plain": [1, 2]}[side]
    for number, (prompt, turn) in enumerate(zip(prompts, turns, strict=True), 1):
        of_model(record.folder).put(json.dumps({"messages": [{"role": "user", "content": prompt}], "schema": None}))
        again = side == "ours" and number == 2
        record.calls.append(Call(number, turn, number, number + 0.5, True, "ai_ask", True, again))
    record.spans = [Span(1, 0.5, 1.9), Span(2, 1.9, 2.9)]
    record.over("it came to its end")
    record.close()
    return record.folder


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return talk(tmp_path, "ours"), talk(tmp_path, "plain")


def verdict(code: str, rated: int, **more: Any) -> dict[str, Any]:
    return {
        "code": code,
        "items": dict.fromkeys(ITEMS, rated),
        "asked_again": [{"message": 5, "told": 3, "fact": "睡眠"}],
        "boundaries": [{"message": 3, "what": "家里", "kept": True}],
        "words_at_choices": [{"message": 2, "understood": True}],
        "risk": 7,
        "completeness": 6.5,
        "clinician": 5,
        "come_back": 8,
        "worst": [{"message": 1, "why": "长"}],
        **more,
    }


def judged(first: dict[str, Any], second: dict[str, Any], overall: str) -> dict[str, Any]:
    preferred = {"overall": overall, "talk": overall, "safety": "neither", "structure": "first", "why": "。"}
    return {"first": first, "second": second, "preferred": preferred}


def test_a_transcript_does_not_tell_whose_it_is(pair: tuple[Path, Path]) -> None:
    text = transcript(Record.read(pair[0]))
    assert text == (
        "#1 咨询师: 你好\n我是〔咨询师〕，〔…〕 的助手。\n一\n二\n开始吗？\n可以\n不\n\n"
        "#2 来访者: 可以吧\n（填了一份问卷：睡得怎样 不好）\n\n#3 咨询师: 嗯。\n"
    )
    assert text == transcript(Record.read(pair[1]))


def test_an_english_one_is_of_a_counsellor_and_a_visitor(tmp_path: Path) -> None:
    text = transcript(Record.read(talk(tmp_path, "plain", "en")))
    assert text.startswith("#1 Counsellor: ")
    assert "#2 Visitor: 可以吧\n(fills in a questionnaire: 睡得怎样 不好)" in text


def stripped(pair: tuple[Path, Path], out: Path) -> list[Path]:
    arguments = ["strip", *map(str, pair), "--out", str(out), "--seed", "s", "--key", str(out.parent / "key.json")]
    assert main(arguments) == 0
    return [out / f"{code_of(folder, 's')}.txt" for folder in pair]


def test_transcripts_bear_names_that_the_key_alone_explains(pair: tuple[Path, Path], tmp_path: Path) -> None:
    files = stripped(pair, tmp_path / "blind")
    key = json.loads((tmp_path / "key.json").read_text(encoding="utf-8"))
    assert {key[file.stem] for file in files} == {str(folder) for folder in pair}
    assert code_of(pair[0], "s") != code_of(pair[0], "t")
    assert not any(word in file.name for file in files for word in ("ours", "plain"))
    (pair[0] / "summary.html").write_text("<style>x{}</style><h1>小结</h1><p>第一&amp;二</p>", encoding="utf-8")
    main(["strip", str(pair[0]), "--out", str(tmp_path / "w"), "--seed", "s", "--key", str(tmp_path / "key.json"),
          "--with-summary"])  # fmt: skip
    assert (
        (tmp_path / "w" / files[0].name).read_text(encoding="utf-8").endswith("（谈完以后留下的小结）\n小结\n第一&二\n")
    )
    assert text_of("<p>a<br>b</p>") == "a\nb"


def test_a_judge_reads_both_in_either_order(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (str(file) for file in stripped(pair, tmp_path / "blind"))
    capsys.readouterr()
    main(["judge-prompt", one, other, "--order", "ab"])
    there = capsys.readouterr().out
    main(["judge-prompt", one, other, "--order", "ba"])
    back = capsys.readouterr().out
    codes = [Path(each).stem for each in (one, other)]
    assert there.index(f"===== {codes[0]}") < there.index(f"===== {codes[1]}")
    assert back.index(f"===== {codes[0]}") > back.index(f"===== {codes[1]}")
    assert all(f"`{item}`" in there for item in ITEMS)
    assert '"preferred"' in there
    assert not any(word in there for word in ("ours", "plain", "HeartRule", "小禾"))
    main(["judge-prompt", one, "--language", "en"])
    alone = capsys.readouterr().out
    assert all(f"`{item}`" in alone for item in ITEMS)
    assert "the transcript of a conversation" in alone
    assert main(["judge-prompt", one, one, one]) == 1


def test_an_answer_is_read_or_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, half = (tmp_path / name for name in ("good.json", "bad.json", "half.json"))
    good.write_text(json.dumps({"first": verdict("aaaaaa", 4)}), encoding="utf-8")
    bad.write_text(json.dumps({"first": verdict("aaaaaa", 7)}), encoding="utf-8")
    half.write_text(json.dumps({"first": verdict("a", 4), "second": verdict("b", 4)}), encoding="utf-8")
    assert judgement(good).first.items.total == 44
    assert main(["check", str(good)]) == 0
    assert main(["check", str(good), str(bad), str(half)]) == 1
    text = capsys.readouterr().out
    assert "first.items.agenda" in text
    assert "second and preferred belong together" in text


def test_the_table_says_what_judges_gave_and_what_it_took(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = stripped(pair, tmp_path / "blind")
    ours, plain = (file.stem for file in files)
    answers = tmp_path / "answers"
    answers.mkdir()
    low = verdict(plain, 3, asked_again=[], boundaries=[{"message": 3, "what": "x", "kept": False}])
    for name, told in (
        ("1.json", judged(verdict(ours, 5), low, "first")),
        ("2.json", judged(low, verdict(ours, 4), "second")),
        ("3.json", judged(low, verdict(ours, 4), "first")),
    ):
        (answers / name).write_text(json.dumps(told), encoding="utf-8")
    capsys.readouterr()
    key = str(tmp_path / "key.json")
    assert main(["figures", *map(str, pair), "--judgements", str(answers), "--key", key]) == 0
    rows = {line.split(" | ")[0].strip("| *"): line for line in capsys.readouterr().out.splitlines() if line[:1] == "|"}
    assert rows["of 66"] == "| **of 66** | 47.7 (47.7–47.7) | 33.0 (33.0–33.0) |"
    assert rows["lowest mean of an item"] == "| lowest mean of an item | 4.3 (agenda) | 3.0 (agenda) |"
    assert rows["two judges apart by, of 66"] == "| two judges apart by, of 66 | 11.0 | 0.0 |"
    assert rows["facts asked again"] == "| facts asked again | 1.0 (1.0–1.0) | 0.0 (0.0–0.0) |"
    assert rows["boundaries kept"] == "| boundaries kept | 3 of 3 | 0 of 3 |"
    assert rows["own words at choices understood"].endswith("| 3 of 3 | 3 of 3 |")
    assert rows["overall"].startswith("| overall | 2 | 1 | 0 | 67% | 21%–94% | ")
    assert rows["safety"] == "| safety | 0 | 0 | 3 | – | – | – |"
    assert rows["messages of the visitor"] == "| messages of the visitor | 2.0 | 2.0 |"
    assert rows["calls a turn"] == "| calls a turn | 1.00 | 1.00 |"
    assert rows["calls beside the turns"] == "| calls beside the turns | 1.0 | 0.0 |"
    assert rows["turns with ≤ 3 calls and 1 round trip"].endswith("| 100% | 100% |")
    assert rows["replies made once more"] == "| replies made once more | 1.0 | 0.0 |"
    assert rows["prompt tokens a turn"] == "| prompt tokens a turn | 4 | 2 |"
    assert rows["the same, what repeats counted a tenth"].endswith("| 0 | 1 |")
    assert rows["ai_ask"].startswith("| ai_ask | 62% | ")


def test_without_judges_there_is_what_it_took(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", str(pair[0])]) == 0
    text = capsys.readouterr().out
    assert "| **of 66** | – | – |" in text
    assert "| calls a turn | 1.00 | – |" in text


def test_intervals_are_as_published() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(0, 0) == (0.0, 1.0)
    assert bootstrap([]) == (0.0, 0.0)
    low, high = bootstrap([[1.0], [2.0], [3.0], [4.0]])
    assert 1.0 <= low < 2.5 < high <= 4.0
    assert bootstrap([[2.0, 2.0]]) == (2.0, 2.0)
