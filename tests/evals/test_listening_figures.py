"""Shares of what was heard and of what was taken for it, and the verdict that they come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.evals.beginnings import HOME, NAME, beginning, choosing, items, refusal
from tests.evals.dialogues import Row

from heartrule.evals.figures import Count
from heartrule.evals.listening_figures import Fit, Heard, Measure, Report, Section, fit, report
from heartrule.evals.listening_items import Item
from heartrule.evals.listening_session import Outcome

TOLD = {"称呼": True, "睡几小时": "part", "同住": False}


def came(item: Item, known: dict[str, str] | None = None, **more: object) -> Heard:
    return Heard(item, Outcome(known or {}, **more), {f"{item.id}.stretch": "read"})  # type: ignore[arg-type]


def section(found: list[Heard]) -> Section:
    (only,) = report(found).sections
    return only


def more(found: Section) -> dict[str, tuple[int, int]]:
    return {each.label: (each.count, each.of) for each in found.more}


def begins(folder: Path, told: Row = TOLD, **rest: object) -> Item:
    return items(folder, beginning("问怎么称呼？", "答阿宁", told=told, **rest))[0]


def test_told_and_known_is_heard(tmp_path: Path) -> None:
    found = section([came(begins(tmp_path), {"称呼": "阿宁", "睡几小时": "没睡好"})])
    assert (found.part, found.items) == ("beginnings", 1)
    assert (found.all.heard.count, found.all.heard.of) == (1, 1)
    assert (found.all.taken.count, found.all.taken.of) == (0, 1)
    assert (found.missed, found.wrong) == ([], [])
    assert more(found) == {"half": (1, 1), "refused": (0, 0), "again": (0, 0)}


def test_told_and_refused_is_not_heard(tmp_path: Path) -> None:
    found = section([came(begins(tmp_path), refused=frozenset({"称呼", "同住"}))])
    assert (found.missed, found.wrong) == (["one.称呼"], ["one.同住"])


def test_what_is_hard_about_it_is_told_by_tag(tmp_path: Path) -> None:
    tags = {"称呼": ["far", "in_list"], "同住": ["similar"]}
    found = section([came(begins(tmp_path, tags_of=tags), {"称呼": "阿宁"})])
    assert [(each.label, each.count) for each in found.heard] == [("far", 1), ("in_list", 1)]
    assert [(each.label, each.count) for each in found.taken] == [("similar", 0)]
    untagged = section([came(begins(tmp_path))])
    assert ([each.label for each in untagged.heard], [each.label for each in untagged.taken]) == (["near"], ["plain"])


def test_what_was_refused_at_the_beginning_has_no_goal(tmp_path: Path) -> None:
    item = begins(tmp_path, tags_of={"同住": ["refused"]})
    found = section([came(item, refused=frozenset({"同住"}))])
    assert found.all.taken.of == 0
    assert more(found)["refused"] == (1, 1)


def test_asking_again_is_counted(tmp_path: Path) -> None:
    item = begins(tmp_path)
    found = section([came(item, asks="称呼"), came(item, asks="同住"), came(item)])
    assert more(found)["again"] == (1, 2)


# refusals


def declined(folder: Path, *, declines: bool, covers: list[str], **rest: object) -> Item:
    row = refusal("跟谁住？", "这个不想说", declines=declines, covers=covers, **rest)
    return items(folder, row)[0]


def test_a_refusal_is_kept_where_all_that_it_covers_is(tmp_path: Path) -> None:
    item = declined(tmp_path, declines=True, covers=["同住", "称呼"], boundary="家里")
    both, one = came(item, refused=frozenset({"同住", "称呼"})), came(item, refused=frozenset({"同住"}), asks="称呼")
    assert section([both]).missed == []
    found = section([one])
    assert found.missed == ["no"]
    assert more(found) == {"question": (0, 0), "boundary": (0, 1), "beyond": (0, 0), "written": (0, 1), "again": (1, 1)}


def test_a_refusal_that_is_written_down_as_the_answer_is_not_kept(tmp_path: Path) -> None:
    item = declined(tmp_path, declines=True, covers=["同住"])
    found = section([came(item, {"同住": "这个不想说"})])
    assert (found.missed, more(found)["written"]) == (["no"], (1, 1))
    earlier = section([came(item, {"同住": "嗯"})])
    assert (earlier.missed, more(earlier)["written"]) == ([], (0, 1)), "it had been told before"


def test_an_answer_is_no_refusal(tmp_path: Path) -> None:
    item = declined(tmp_path, declines=False, covers=[])
    assert section([came(item, {"同住": "爸妈"})]).wrong == []
    found = section([came(item, refused=frozenset({"同住"}))])
    assert (found.wrong, found.all.heard.of) == (["no"], 0)


def test_what_was_refused_too_little_for_is_told(tmp_path: Path) -> None:
    item = declined(tmp_path, declines=True, covers=["同住"])
    assert more(section([came(item, refused=frozenset({"同住", "称呼"}))]))["beyond"] == (1, 1)


# choices


def test_choices(tmp_path: Path) -> None:
    rows = [choosing("好", "开始", id="a"), choosing("几点", None, id="b"), choosing("下次", "改天", id="c")]
    start, clock, later = items(tmp_path, *rows)
    found = section([came(start, picked="开始"), came(clock), came(later, picked="开始")])
    assert (found.all.heard.count, found.all.heard.of) == (1, 2)
    assert (found.missed, found.wrong) == (["c"], ["c"])
    assert more(found) == {"understood": (2, 3)}


# the verdict


@pytest.mark.parametrize(
    ("heard", "taken", "verdict"),
    [
        (0.95, 0.02, "leading"),
        (1.0, 0.021, "wording"),
        (0.94, 0.0, "wording"),
        (0.80, 0.05, "wording"),
        (0.79, 0.0, "script"),
        (1.0, 0.06, "script"),
    ],
)
def test_what_a_model_is_fit_for(heard: float, taken: float, verdict: Fit) -> None:
    assert fit(heard, taken) == verdict


def measure(heard: int, taken: int, of: int) -> Measure:
    def rows(count: int) -> list[bool]:
        return [number < count for number in range(of)]

    return Measure("zh", Count.over("heard", rows(heard)), Count.over("taken", rows(taken)))


def test_few_cases_prove_nothing() -> None:
    assert measure(29, 0, 29).fit is None
    assert (measure(30, 0, 30).fit, measure(30, 0, 30).sure) == ("leading", False)
    assert (measure(1000, 0, 1000).fit, measure(1000, 0, 1000).sure) == ("leading", True)
    assert not Measure("zh", Count.over("heard", []), Count.over("taken", [])).sure


def many(folder: Path, lang: str, good: int, of: int = 40) -> list[Heard]:
    """Beginnings of which ``good`` are heard."""
    told = {"称呼": True, "同住": False}
    rows = [
        beginning("问你？", "答阿宁", told=told, wanted=[NAME, HOME], id=f"{lang}{n}", lang=lang) for n in range(of)
    ]
    return [came(each, {"称呼": "阿宁"} if number < good else {}) for number, each in enumerate(items(folder, *rows))]


def test_the_verdict_of_each_language_is_that_of_its_lowest_part(tmp_path: Path) -> None:
    beginnings = [*many(tmp_path, "zh", 40), *many(tmp_path, "en", 33)]
    found: Report = report(beginnings)
    assert found.verdicts == {"zh": "leading", "en": "wording"}
    assert found.unmeasured == ["refusals", "choices"]
    assert [each.label for each in found.sections[0].langs] == ["zh", "en"]
    rows = [refusal("跟谁住？", "不说", declines=True, covers=["同住"], id=f"r{n}") for n in range(40)]
    rows += [refusal("跟谁住？", "爸妈", declines=False, id=f"a{n}") for n in range(40)]
    deaf = [came(each) for each in items(tmp_path, *rows)]
    assert report([*beginnings, *deaf]).verdicts == {"zh": "script", "en": "wording"}
    assert report([*beginnings, *deaf[:20], *deaf[40:]]).verdicts["zh"] is None, "twenty refusals are too few"


def test_what_became_of_the_prompts_is_told_by_template(tmp_path: Path) -> None:
    item = begins(tmp_path)
    names = {"one.stretch": "read", "one.stretch.2": "stale", "one.listen": "unanswered"}
    found = report([Heard(item, Outcome({}), names)])  # type: ignore[arg-type]
    assert found.came == {"listen": {"unanswered": 1}, "stretch": {"read": 1, "stale": 1}}
    assert found.stale == ["one.stretch.2"]
