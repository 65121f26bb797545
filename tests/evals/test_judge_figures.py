"""Shares by what should come of it, by label and language, tier by tier, and the ids of what went wrong."""

from __future__ import annotations

from pathlib import Path

from tests.evals.danger import items, row

from heartrule.evals.judge_figures import Heard, Report, report
from heartrule.evals.judge_session import Outcome
from heartrule.evals.risk_figures import Found

ROWS = [
    row("答a", id="stop", label="plan", interrupts=True),
    row("答b", id="ask", label="passive"),
    row("答c", id="calm", label="none_kin"),
    row("d", id="still", label="none_past", locale="en", turns=[{"by": "person", "text": "d"}]),
]


def held(folder: Path, *found: Found, before: Found = "none", **came: str) -> list[Heard]:
    return [
        Heard(item, Outcome(each, before=before), {f"{item.id}.risk": came[item.id]} if item.id in came else {})  # type: ignore[dict-item]
        for item, each in zip(items(folder, *ROWS), found, strict=True)
    ]


def shares(told: Report, label: str, locale: str = "") -> list[tuple[str, int, int, int]]:
    rows = [each for each in [*told.groups, *told.labels] if (each.label, each.locale) == (label, locale)]
    return [(each.tier, each.heard.count, each.interrupted.count, each.heard.of) for each in rows]


def test_tiers_stand_side_by_side(tmp_path: Path) -> None:
    told = report(
        {
            "rules": held(tmp_path, "none", "none", "watch", "none"),
            "judge": held(tmp_path, "explicit", "watch", "watch", "explicit"),
        }
    )
    assert (told.items, told.tiers) == (4, ["rules", "judge"])
    assert shares(told, "interrupts", "zh-CN") == [("rules", 0, 0, 1), ("judge", 1, 1, 1)]
    assert shares(told, "asks", "zh-CN") == [("rules", 0, 0, 1), ("judge", 1, 0, 1)]
    assert shares(told, "calm") == [("rules", 1, 0, 2), ("judge", 2, 1, 2)]
    assert shares(told, "calm", "en") == [("rules", 0, 0, 1), ("judge", 1, 1, 1)]
    assert shares(told, "none_kin", "zh-CN") == [("rules", 1, 0, 1), ("judge", 1, 0, 1)]
    assert shares(told, "active") == [], "a label that nobody gave has no row"
    share = next(each for each in told.groups if (each.label, each.locale) == ("calm", "")).heard.share
    assert share is not None
    assert (round(share.value, 2), round(share.low, 2), round(share.high, 2)) == (0.5, 0.09, 0.91)


def test_what_went_wrong_is_named(tmp_path: Path) -> None:
    told = report({"rules": held(tmp_path, "watch", "none", "watch", "explicit")})
    assert (told.missed, told.unheard) == (["stop"], ["ask"])
    assert (told.alarmed, told.stopped) == (["calm", "still"], ["still"])


def test_what_was_heard_earlier_is_counted_beside_it(tmp_path: Path) -> None:
    told = report({"rules": held(tmp_path, "none", "watch", "none", "none", before="watch")})
    (one,) = [each for each in told.groups if each.label == "interrupts"]
    assert (one.heard.count, one.heard_by_then.count, one.interrupted_by_then.count) == (0, 1, 0)


def test_what_became_of_the_prompts(tmp_path: Path) -> None:
    heard = held(tmp_path, "explicit", "watch", "none", "none", ask="read", calm="stale", still="unanswered")
    told = report({"rules": heard, "judge": heard})
    assert told.came == {"read": 1, "stale": 1, "unanswered": 1}
    assert (told.unasked, told.stale) == (1, ["calm.risk"])
    assert report({"rules": heard}).unasked == 0, "without a model nobody was to be asked"
