"""Conditions in words: what they are in signs, and how they are mended."""

from __future__ import annotations

import pytest
from tests.language.material import codes, linted, only, session

from heartrule.language.expressions.natural_conditions import in_signs
from heartrule.language.findings.mends import applied

KNOWN = {"压力分", "有失眠", "stress", "mood", "是否愿意", "心情", "超过预期", "有没有睡好"}


@pytest.mark.parametrize(
    ("written", "signs"),
    [
        ("压力分大于5", "压力分 > 5"),
        ("压力分 大于等于 5", "压力分 >= 5"),
        ("压力分小于或等于5", "压力分 <= 5"),
        ("压力分不小于5且有失眠是true", "压力分 >= 5 and 有失眠 == true"),
        ("压力分不超过3或者压力分大于8", "压力分 <= 3 or 压力分 > 8"),
        ("压力分至少3 并且 压力分低于8", "压力分 >= 3 and 压力分 < 8"),
        ("压力分不等于3", "压力分 != 3"),
        ("心情是'很糟'", "心情 == '很糟'"),
        ("心情包含'大于'", "心情 contains '大于'"),
        ("stress is greater than 5", "stress > 5"),
        ("stress is greater than or equal to 5", "stress >= 5"),
        ("stress is at least 3", "stress >= 3"),
        ("stress at most 3", "stress <= 3"),
        ("stress IS NOT 3", "stress != 3"),
        ("mood equals 'low'", "mood == 'low'"),
        ("mood does not contain 'low'", "mood not contains 'low'"),
        ("mood is 'low' or stress exceeds 7", "mood == 'low' or stress > 7"),
        ("超过预期 == 1", None),
        ("有没有睡好", None),
        ("是否愿意", None),
        ("有失眠", None),
        ("mood contains 'is below'", None),
        ("不知道大于什么意思的名字大于", None),
    ],
)
def test_in_signs(written: str, signs: str | None) -> None:
    assert in_signs(written, KNOWN.__contains__) == signs


@pytest.mark.parametrize(
    ("written", "code", "mended"),
    [
        ("压力分大于5", "W424", "压力分 > 5"),
        ("压力分至少5分", "W424", "压力分 >= 5"),
        ("压力分大于5且有失眠是真", "W424", "压力分 > 5 and 有失眠 == true"),
        ("情绪是难过", "W424", "情绪 == '难过'"),
        ("情绪是很难过", "W424", "情绪 == '难过'"),
        ("压力分 大于 5", "E110", "压力分 > 5"),
        ("压力分 is greater than 5", "E110", "压力分 > 5"),
        ("情绪 == 难过", "E209", "情绪 == '难过'"),
        ("情绪 == 很难过", "E209", "情绪 == '难过'"),
        ("有失眠 == 是", "E209", "有失眠 == true"),
        ("有失眠 == 没有", "E209", "有失眠 == false"),
        ("有失眠 == no", "E209", "有失眠 == false"),
    ],
)
@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_the_mend(written: str, code: str, mended: str, quote: str) -> None:
    head = """declare:
  - {var: 压力分, type: integer, range: [0, 10], value: 5}
  - {var: 有失眠, type: boolean, value: true}
  - {var: 情绪, type: enum, options: [难过, 平静], value: 平静}
"""
    text = session(f"- {{type: say, content: 好, condition: {quote}{written}{quote}}}", head=head)
    found = only(linted(text), code)
    assert found.mend is not None
    made = applied(text, found.mend.edits)
    assert mended.replace("'", '"' if quote == "'" else "'") in made
    assert codes(linted(made)) == []


@pytest.mark.parametrize(("condition", "mended"), [("有 == 是", "有 == true"), ("情绪 == 难过", "情绪 == '难过'")])
def test_in_what_a_variable_waits_for(condition: str, mended: str) -> None:
    text = f"""global:
  - {{var: 有, type: boolean, value: true}}
  - {{var: 情绪, type: enum, options: [难过, 平静], value: 平静}}
  - {{var: 多久, type: text, define: 多久了, depends_on: [{{var: 有, condition: {condition}}}]}}
"""
    found = only(linted(text), "E209")
    assert found.mend is not None
    assert mended in applied(text, found.mend.edits)
