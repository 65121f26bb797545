"""Small steps from the record to a report."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.reporting.material import BEGAN

from heartrule.language.nodes.forms import Form
from heartrule.reporting.report import Answer, Range
from heartrule.reporting.report_data import closed, courses, filled, noted_lines
from heartrule.sessions.forms import Result

FORM = Form.model_validate(
    {
        "form": "睡眠",
        "id": "sleep",
        "fields": [
            {"id": "nights", "label": "几个晚上", "type": "integer", "range": [0, 7]},
            {"id": "early", "label": "醒得早吗", "type": "single", "options": [{"value": 0, "label": "不早"}]},
            {"id": "what", "label": "{name}做些什么", "type": "longtext"},
        ],
        "scores": [{"id": "total", "sum": ["nights"], "bands": [{"from": 0, "to": 3, "label": "还好"}]}],
    }
)
RESULT = Result(
    turn=3,
    form="cbt/sleep",
    name="睡眠",
    values={"nights": 2, "early": 0, "what": "看书"},
    scores={"total": 2},
    bands={"total": "还好"},
    labels={"total": "total"},
    at=BEGAN,
)


def test_answers_are_told_in_the_words_of_the_form() -> None:
    found = filled(RESULT, FORM)
    assert found.answers == (
        Answer("几个晚上", "2", own=False),
        Answer("醒得早吗", "不早", own=False),
        Answer("what", "看书", own=True),
    )
    (score,) = found.scores
    assert (score.label, score.value, score.limits) == ("", 2, (0, 7))
    assert score.ranges == (Range("还好", 0, 3, here=True),)


def test_without_its_form_what_was_handed_in_is_told_as_it_is() -> None:
    found = filled(RESULT, None)
    assert found.answers[0] == Answer("nights", "2", own=False)
    assert found.scores[0].ranges == ()
    assert found.scores[0].limits is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("睡眠\n几个晚上：2\n醒得早吗: 不早", [("几个晚上", "2"), ("醒得早吗", "不早")]),
        ("睡眠\n几个晚上：2\n还有：一行", [("几个晚上", "2\n还有：一行")]),
        ("睡眠\n没有名字的一行\n几个晚上：2", [("", "没有名字的一行"), ("几个晚上", "2")]),
        ("睡眠", []),
    ],
)
def test_what_was_read_out_is_told_line_by_line(text: str, told: list[tuple[str, str]]) -> None:
    assert list(noted_lines(FORM, text)) == told


def test_a_text_with_something_left_to_fill_is_not_told() -> None:
    assert (closed("一句话"), closed("{name}好"), closed(" ")) == ("一句话", "", "")


def test_scores_go_on_across_the_languages_of_a_form() -> None:
    english = FORM.model_copy(update={"id": "sleep_en", "form": "Sleep", "translation_of": "sleep", "locale": "en"})
    later: dict[str, Any] = {"form": "cbt/sleep_en", "name": "Sleep", "at": BEGAN + timedelta(days=7)}
    handed_in = [
        (RESULT, FORM),
        (replace(RESULT, **later, scores={"total": 6}, bands={}), english),
        (replace(RESULT, scores={"total": None}, at=BEGAN + timedelta(days=9)), FORM),
    ]
    (found,) = courses(handed_in)
    assert (found.name, [point.value for point in found.points]) == ("Sleep", [2, 6])
    assert found.ranges == (Range("还好", 0, 3),)
    other = replace(RESULT, form="other/sleep")
    assert len(courses([(RESULT, FORM), (other, None)])) == 2
