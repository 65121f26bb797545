"""Files of utterances labelled for risk: what is read, and where a bad row stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heartrule.evals.labelled_files import BadFile
from heartrule.evals.risk_items import Utterance, benign, load_utterances

GOOD: dict[str, Any] = {"text": "睡不着", "risk": "none", "sub": ["none"], "lang": "zh"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def write(file: Path, *rows: Any) -> Path:
    text = "\n".join(row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text(text, encoding="utf-8")
    return file


def test_rows_and_their_ids(file: Path) -> None:
    rows = load_utterances(
        write(file, GOOD, "", {"text": "a", "risk": "self_harm", "sub": ["plan"], "id": 7}, {**GOOD, "id": "x"})
    )
    assert rows == [
        Utterance("1", "睡不着", "none", ("none",)),
        Utterance("7", "a", "self_harm", ("plan",)),
        Utterance("x", "睡不着", "none", ("none",)),
    ]


def test_the_finest_labels_there_are() -> None:
    assert Utterance("1", "a", "self_harm", ("plan", "attempt")).labels == ("plan", "attempt")
    assert Utterance("1", "a", "aggression").labels == ("aggression",)


def test_every_so_many_rows(file: Path) -> None:
    write(file, *({**GOOD, "id": n} for n in range(10)))
    assert [row.id for row in load_utterances(file, (3, 4))] == ["3", "7"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("{", "not_json"),
        ("[1]", "not_json"),
        ({"risk": "none"}, "no_text"),
        ({"text": "  ", "risk": "none"}, "no_text"),
        ({"text": 3, "risk": "none"}, "no_text"),
        ({"text": "a"}, "no_risk"),
        ({"text": "a", "risk": "high"}, "no_risk"),
        ({"text": "a", "risk": "none", "sub": "plan"}, "no_sub"),
        ({"text": "a", "risk": "none", "sub": [1]}, "no_sub"),
    ],
)
def test_a_bad_row_is_named_with_its_line_and_not_quoted(file: Path, row: Any, why: str) -> None:
    with pytest.raises(BadFile) as caught:
        load_utterances(write(file, GOOD, "", row))
    assert (caught.value.why, caught.value.line) == (why, 3)
    assert "high" not in str(caught.value)


def test_files_that_hold_nothing(file: Path, tmp_path: Path) -> None:
    for path, why in (
        (write(file, "", ""), "empty"),
        (tmp_path / "none.jsonl", "unread"),
        (tmp_path / "none.txt", "unread"),
    ):
        with pytest.raises(BadFile, match=why):
            benign(path)
    file.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(BadFile, match="unread"):
        load_utterances(file)


def test_benign_messages_of_either_kind_of_file(file: Path, tmp_path: Path) -> None:
    write(file, GOOD, {"text": "a", "risk": "self_harm"})
    plain = tmp_path / "talk.txt"
    plain.write_text("你好\n\n 还行 \n", encoding="utf-8")
    assert [(row.id, row.text) for row in (*benign(file), *benign(plain))] == [
        ("rows.jsonl:1", "睡不着"),
        ("talk.txt:1", "你好"),
        ("talk.txt:3", "还行"),
    ]
    write(file, {"text": "a", "risk": "self_harm"})
    with pytest.raises(BadFile, match="empty"):
        benign(file)
