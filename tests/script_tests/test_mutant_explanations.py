"""Explanations of mutants that live: read, held against what became of them, and told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from tests.script_tests.counting import HIGH, LOW, ZERO, laid

from heartrule.language.findings import Finding
from heartrule.language.findings.documents import diagnostic
from heartrule.script_tests.coverage_words import Language
from heartrule.script_tests.mutant_explanations import DIAGNOSTICS, FILE, WeighedMutants, beside, load_reasons, weigh
from heartrule.script_tests.mutant_runs import MutantRun, trials, witnesses
from heartrule.script_tests.mutation import WHATS, mutants
from heartrule.script_tests.mutation_report import MutationTexts, plain
from heartrule.script_tests.parallel_runs import hold
from heartrule.script_tests.suite import Shelf, collect
from heartrule.script_tests.survey import gathered

CODES = sorted(path.name.partition("-")[0] for path in DIAGNOSTICS.glob("*.md"))
CHOICE = "choice demo/hello:opening/choose/pick 2"
MARK = re.compile(r"# ← (\w+)")


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> list[MutantRun]:
    folder = laid(tmp_path_factory.mktemp("demo"), LOW, HIGH, ZERO)
    shelf = Shelf()
    held = list(hold(collect([folder], shelf).jobs))
    found = gathered([each.job for each in held], shelf)
    chosen = [mutant for mutant in mutants(found.scripts, found.projects) if mutant.project == "demo"]
    return list(trials(chosen, witnesses(held, shelf)))


def weighed(
    tried: list[MutantRun], folder: Path, text: str, known: list[str] | None = None
) -> tuple[WeighedMutants, list[Finding]]:
    (folder / FILE).write_text(text, encoding="utf-8")
    explanations, findings = load_reasons([folder / FILE])
    found = weigh(tried, explanations, known or [each.mutant.id for each in tried])
    return found, [*findings, *found.findings]


def reasons(*mutants: str) -> str:
    return "mutants:\n" + "".join(f"  - {{mutant: '{each}', reason: 不要紧}}\n" for each in mutants)


def test_what_is_explained_may_live(tried: list[MutantRun], tmp_path: Path) -> None:
    found, findings = weighed(tried, tmp_path, reasons(CHOICE))
    assert findings == []
    assert found.explained == {CHOICE: "不要紧"}
    assert [each.mutant.id for each in found.alive] == ["fallback demo/hello:opening/choose/bye", "range demo/分"]
    assert (found.died, len(found.tried)) == (10, 13)
    assert round(found.share, 1) == 84.6


def test_several_may_live_for_one_reason_each_named_by_itself(tried: list[MutantRun], tmp_path: Path) -> None:
    several = f"mutants:\n  - mutant:\n      - {CHOICE}\n      - range demo/分\n    reason: 不要紧\n"
    found, findings = weighed(tried, tmp_path, several)
    assert findings == []
    assert found.explained == {CHOICE: "不要紧", "range demo/分": "不要紧"}
    noticed = several.replace("range demo/分", "action demo/hello:opening/score/low")
    findings = weighed(tried, tmp_path, noticed)[1]
    assert [(each.code, each.line) for each in findings] == [("E721", 4)]


def test_a_star_stands_for_nothing(tried: list[MutantRun], tmp_path: Path) -> None:
    found, (star,) = weighed(tried, tmp_path, reasons("choice *"))
    assert star.code == "E722"
    assert "in full" in star.hint.en
    assert found.explained == {}


@pytest.mark.parametrize("code", CODES)
def test_each_document_shows_what_it_says(tried: list[MutantRun], tmp_path: Path, code: str) -> None:
    document = diagnostic(code)
    assert document.severity == "error"
    for example, wanted in ((document.failing, True), (document.mended, False)):
        ((name, text),) = example.files
        assert name == FILE
        found = weighed(tried, tmp_path, text)[1]
        marked = [(number, mark[1]) for number, line in enumerate(text.splitlines(), 1) if (mark := MARK.search(line))]
        assert [(each.line, each.code) for each in found] == marked
        assert bool(marked) is wanted


def test_what_was_not_tried_this_time_is_not_judged(tried: list[MutantRun], tmp_path: Path) -> None:
    known = [each.mutant.id for each in tried]
    some = [each for each in tried if each.mutant.what == "choice"]
    assert weighed(some, tmp_path, reasons("action demo/hello:opening/score/low"), known)[1] == []
    died = weighed(some, tmp_path, reasons("choice demo/hello:opening/choose/pick 1"), known)[1]
    assert [each.code for each in died] == ["E721"]


def test_advice_names_the_near_one_or_says_that_it_is_gone(tried: list[MutantRun], tmp_path: Path) -> None:
    near, gone = weighed(tried, tmp_path, reasons("range demo/分数", "exit_criteria cbt/elsewhere:there"))[1]
    assert "`range demo/分`" in near.hint.en
    assert "remove it" in gone.hint.en


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("mutants:\n  - {mutant: x}\n", "E102", 2),
        ("mutants:\n  - {mutant: x, reason: ''}\n", "E105", 2),
        ("mutants:\n  - {mutant: x, reason: y, why: z}\n", "E101", 2),
        ("mutants:\n  - {mutant: [], reason: y}\n", "E105", 2),
        ("mutants:\n  - {mutant: {a: b}, reason: y}\n", "E103", 2),
        ("mutants: 3\n", "E103", 1),
        ("- a\n", "E015", 1),
        ("mutants: [\n", "E020", 1),
    ],
)
def test_a_file_that_is_none_is_told_with_its_place(tmp_path: Path, text: str, code: str, line: int) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    found, findings = load_reasons([tmp_path / FILE])
    assert found == []
    assert (findings[0].code, findings[0].line) == (code, line)


def test_an_empty_file_explains_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("", encoding="utf-8")
    assert load_reasons([tmp_path / FILE]) == ([], [])


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert [each.code for each in load_reasons([tmp_path / "nowhere.yaml"])[1]] == ["E017"]


def test_the_file_lies_beside_the_tests_or_in_the_folder_tests_of_the_project(tmp_path: Path) -> None:
    folder = laid(tmp_path, LOW, files={"tests/deep/more.test.yaml": "tests: []\n"})
    here, above = folder / "tests/deep" / FILE, folder / "tests" / FILE
    files = [folder / "tests/hello.yaml", folder / "tests/deep/more.test.yaml"]
    assert beside(files) == []
    above.write_text("", encoding="utf-8")
    assert beside(files) == [above]
    here.write_text("", encoding="utf-8")
    assert beside(files) == [above, here]
    alone = tmp_path.parent / "alone.test.yaml"
    assert beside([alone]) == []


# telling


def test_survivors_are_told_with_their_place_and_what_to_check(tried: list[MutantRun], tmp_path: Path) -> None:
    found = weighed(tried, tmp_path, reasons(CHOICE))[0]
    told = MutationTexts("en")
    outside = "Say a number outside of it and expect that it is not taken: unset, at."
    assert list(told.lines(found)) == [
        "Noticed by no test and not explained:",
        "  demo/hello.yaml:40: without what is said when there is no model  [fallback demo/hello:opening/choose/bye]",
        "    1 test(s) come here and pass all the same. Come here without a model and expect its words: said_contains.",
        "  demo/hello.yaml:2: without the range  [range demo/分]",
        f"    3 test(s) come here and pass all the same. {outside}",
        "13 mutants: 10 noticed by tests, 1 explained, 2 neither (84.6%).",
    ]
    with_reasons = list(told.lines(found, explained=True))
    assert with_reasons[5:8] == [
        "Explained:",
        f"  demo/hello.yaml:39: without this choice  [{CHOICE}]",
        "    reason: 不要紧",
    ]


def test_where_no_test_comes_that_is_said(tried: list[MutantRun]) -> None:
    found = WeighedMutants((MutantRun(tried[0].mutant, 0),), {})
    assert "没有测试走到这里" in "\n".join(MutationTexts("zh").lines(found))


def test_enough_is_enough(tried: list[MutantRun]) -> None:
    told, found = MutationTexts("en"), WeighedMutants(tuple(tried), {})
    assert told.too_little(found, 76) is None
    assert told.too_little(found, 77) == "76.9% noticed or explained, less than the 77% that are asked for."
    assert WeighedMutants((), {}).share == 100


def test_programs_are_told_the_same(tried: list[MutantRun]) -> None:
    told = plain(WeighedMutants(tuple(tried), {CHOICE: "不要紧"}))
    assert (told["mutants"], told["noticed"], told["explained"], told["alive"]) == (13, 10, 1, 2)
    by_id = {each["id"]: each for each in told["tried"]}
    assert by_id[CHOICE]["reason"] == "不要紧"
    assert by_id[CHOICE]["noticed_by"] is None
    assert by_id["awareness demo/very_low"]["noticed_by"]["test"] == "零分先呼吸"
    assert (by_id["range demo/分"]["file"], by_id["range demo/分"]["line"]) == ("hello.yaml", 2)


def test_stale_explanations_are_told(tried: list[MutantRun], tmp_path: Path) -> None:
    found = weighed(tried, tmp_path, reasons(CHOICE, "action demo/breathe/in", "range demo/不在了"))[0]
    last = list(MutationTexts("en").lines(found))[-1]
    assert last == "2 explanation(s) hold no longer: their mutant is noticed by a test, or is gone."
    stale = plain(found)["stale"]
    assert [(each["mutant"], each["why"], each["line"]) for each in stale] == [
        ("action demo/breathe/in", "noticed", 3),
        ("range demo/不在了", "gone", 4),
    ]


NAMES = re.compile(r"{(\w+)}")


def test_both_languages_say_everything() -> None:
    text = (files("heartrule.script_tests") / "mutation_texts.yaml").read_text(encoding="utf-8")
    loaded = yaml.safe_load(text)

    def keys(of: object, at: str = "") -> Iterator[str]:
        if isinstance(of, dict):
            for key, value in of.items():
                yield from keys(value, f"{at}.{key}")
        else:
            yield f"{at} {sorted(NAMES.findall(str(of)))}"

    assert sorted(keys(loaded["zh"])) == sorted(keys(loaded["en"]))
    languages: tuple[Language, Language] = ("zh", "en")
    for language in languages:
        assert list(loaded[language]["whats"]) == list(WHATS)
