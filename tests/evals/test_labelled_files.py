"""Labelled files of any kind; whatever cannot be used is said with its line, and never quoted."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.evals.labelled_files import BadFile, Columns, LabelledQuestion, LabelledUtterance, load_rows, questions

ONE = Columns("text", (LabelledQuestion("label", "难过？"),))


def write(folder: Path, text: str, name: str = "f.jsonl") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f.jsonl", '{"text": "很难过", "label": 1}\n\n{"text": "还好", "label": false}\n'),
        ("f.jsonl", '\ufeff{"text": " 很难过 ", "label": "是"}\n{"text": "还好", "label": "No"}'),
        ("f.csv", "text,label\n很难过,yes\n还好,0\n"),
        ("f.tsv", "label\ttext\n对\t很难过\n否\t还好\n"),
        ("f.csv", 'id;text;label\n1;"很难过";1\n2;还好;0\n'),
    ],
)
def test_kinds_of_files(tmp_path: Path, name: str, text: str) -> None:
    found = load_rows(write(tmp_path, text, name), ONE)
    assert found == [
        LabelledUtterance("很难过", "", {"难过？": True}),
        LabelledUtterance("还好", "", {"难过？": False}),
    ]


def test_questions_in_a_column_are_gathered_by_what_was_said(tmp_path: Path) -> None:
    text = "text,question,label\n嗯,甲？,1\n哦,甲？,0\n嗯,乙？,0\n"
    found = load_rows(write(tmp_path, text, "f.csv"), Columns("text", (LabelledQuestion("label", column="question"),)))
    assert [(row.said, dict(row.answers)) for row in found] == [
        ("嗯", {"甲？": True, "乙？": False}),
        ("哦", {"甲？": False}),
    ]


def test_several_questions_each_with_a_column(tmp_path: Path) -> None:
    asked = questions(write(tmp_path, "- {question: 甲？, label: a}\n- {question: 乙 ？, label: b}\n", "q.yaml"))
    path = write(tmp_path, '{"said": "嗯", "a": 1, "b": null, "by": "你好"}\n')
    assert load_rows(path, Columns("said", asked, before="by")) == [LabelledUtterance("嗯", "你好", {"甲？": True})]


def test_a_label_of_ones_own(tmp_path: Path) -> None:
    path = write(tmp_path, "text,label\n一,risk\n二,none\n三,\n", "f.csv")
    found = load_rows(path, Columns("text", (LabelledQuestion("label", "有风险？"),), positive="Risk"))
    assert [row.answers["有风险？"] for row in found] == [True, False]


def test_only_so_many(tmp_path: Path) -> None:
    path = write(tmp_path, "".join(f'{{"text": "{n}", "label": 1}}\n' for n in range(9)))
    assert [row.said for row in load_rows(path, ONE, 3)] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ('{"text": "秘密", "label": 1}\n秘密', "not_json", 2),
        ("[1]", "not_json", 1),
        ('{"label": 1}', "no_text", 1),
        ('{"text": " ", "label": 1}', "no_text", 1),
        ('{"text": "秘密"}', "no_text", 1),
        ('{"text": "秘密", "label": "也许"}', "no_label", 1),
        ('{"text": "秘密", "label": ""}', "empty", 0),
        ("", "empty", 0),
    ],
)
def test_what_cannot_be_used(tmp_path: Path, text: str, why: str, line: int) -> None:
    with pytest.raises(BadFile) as raised:
        load_rows(write(tmp_path, text), ONE)
    assert (raised.value.why, raised.value.line) == (why, line)
    assert "秘密" not in f"{raised.value} {raised.value.values}"


@pytest.mark.parametrize("text", ["[]", "a: 1", "- 1", "- {question: 甲}", "- {question: 1, label: a}", "- ["])
def test_questions_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile):
        questions(write(tmp_path, text, "q.yaml"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\xd8")
    for path in (tmp_path / "none", tmp_path, tmp_path / "bytes"):
        with pytest.raises(BadFile, match="unread"):
            load_rows(path, ONE)
        with pytest.raises(BadFile, match="unread"):
            questions(path)
