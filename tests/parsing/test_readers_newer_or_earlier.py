"""Which of two things that were told counts."""

from __future__ import annotations

from tests.table import tabled

from heartrule.parsing.newer_or_earlier import chosen


@tabled(
    ("text", "which"),
    [
        ("是的", "newer"), ("现在的", "newer"), ("以现在的为准", "newer"), ("对，现在的", "newer"),
        ("后面那个", "newer"),
        ("改成现在的", "newer"), ("yes", "newer"), ("the new one please", "newer"), ("now", "newer"),
        ("不是", "earlier"), ("刚才的", "earlier"), ("还是刚才那个", "earlier"), ("就按之前的来", "earlier"),
        ("不用改", "earlier"), ("no", "earlier"), ("go with the earlier one", "earlier"),
        ("don't change it", "earlier"),
        ("", None), ("都不是", None), ("7分", None), ("随便", None), ("现在的工作很累", None), ("the new job", None),
        ("是" * 5_000, None),
    ],
)  # fmt: skip
def test_only_a_plain_choice_is_one(text: str, which: str | None) -> None:
    assert chosen(text) == which
