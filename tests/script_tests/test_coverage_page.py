"""The report of coverage: as a page, in a terminal, and for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library
from heartrule.script_tests.coverage import items, reached
from heartrule.script_tests.coverage_page import LONGEST, page
from heartrule.script_tests.coverage_report import lines, plain, too_little
from heartrule.script_tests.coverage_words import CoverageWords, Language, percent
from heartrule.script_tests.tally import Tally, tally
from heartrule.testing.talk import Talk

SCRIPT = """\
sessions:
  - session: 小试 <b>
    id: small
    phases:
      - phase: 头
        id: head
        steps:
          - topic: 选
            id: pick
            actions:
              - type: user_option
                id: one
                var: 选
                choices:
                  - {value: A, label: "甲 <script>alert(1)</script>"}
                  - {value: B, label: 乙}
              - {type: say, id: bye, condition: 选 == 'B', content: 再见。}
  - session: 没人测
    id: other
    phases:
      - phase: 头
        id: head
        steps:
          - topic: 说
            id: say
            actions: [{type: say, id: hi, content: LONG}]
""".replace("LONG", "长" * (LONGEST + 50))
NAMES = re.compile(r"{(\w+)}")
BOTH: tuple[Language, Language] = ("zh", "en")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("local")
    (folder / "project.yaml").write_text("id: local\n", encoding="utf-8")
    (folder / "small.yaml").write_text(SCRIPT, encoding="utf-8")
    return Library([folder], field_models())


def counted(library: Library, *picks: str, real: tuple[str, ...] = ()) -> Tally:
    scripts = [library.script("local/small"), library.script("local/other")]
    projects = {project.id: project for project in library.projects()}

    def held(pick: str) -> frozenset:  # type: ignore[type-arg]
        talk = Talk(scripts[0])
        talk.choose(pick)
        return reached(scripts[0], talk.events)

    return tally(scripts, projects, ["local"], [held(pick) for pick in picks], [held(pick) for pick in real])


class Read(HTMLParser):
    """The page as text, line by line of the source, and what its elements are."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[tuple[str, str]] = []
        self._inside = False
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "li":
            self.rows.append((dict(attrs).get("class") or "", ""))
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "li"

    def handle_data(self, data: str) -> None:
        if self._inside:
            state, text = self.rows[-1]
            self.rows[-1] = (state, text + data)

    def row(self, text: str) -> tuple[str, str]:
        return next(row for row in self.rows if text in row[1])


def test_each_line_tells_what_was_reached_and_missed(library: Library) -> None:
    read = Read(page(counted(library, "A"), "en"))
    assert read.row("value: A")[0] == "reached"
    state, told = read.row("value: B")
    assert state == "missed"
    assert "Not reached: choice 2" in told
    state, told = read.row("id: bye")
    assert state == "partly"
    assert "Not reached: action, condition held" in told
    assert "✗" in read.row("value: B")[1]
    assert "not reached" in read.row("value: B")[1]
    assert "◐" in read.row("id: bye")[1]
    assert "✓" in read.row("- phase: 头")[1]
    assert read.row("sessions:")[0] == ""


def test_a_page_in_chinese(library: Library) -> None:
    document = page(counted(library, "A"), "zh")
    assert '<html lang="zh-CN">' in document
    assert "没有走到：第 2 个选项" in Read(document).row("value: B")[1]
    assert "走到 5 / 11（45.4%）" in document


def test_what_scripts_hold_is_shown_and_never_run(library: Library) -> None:
    read = Read(page(counted(library, "B"), "en"))
    assert "<script>alert(1)</script>" in read.row("value: A")[1]
    assert {tag for tag, _ in read.tags}.isdisjoint({"script", "b", "img", "iframe", "link"})
    assert all(not name.startswith("on") for _, attributes in read.tags for name in attributes)


@pytest.mark.parametrize("language", BOTH)
def test_the_page_needs_nothing_from_elsewhere(library: Library, language: Language) -> None:
    document = page(counted(library, "A"), language)
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", document)
    assert "url(" not in document
    assert "default-src 'none'" in document
    assert "prefers-color-scheme: dark" in document
    anchors = set(re.findall(r'href="#([^"]+)"', document))
    assert anchors
    assert anchors <= set(re.findall(r'id="([^"]+)"', document))


def test_a_long_line_is_cut_short(library: Library) -> None:
    told = Read(page(counted(library, "A"), "en")).row("长长")[1]
    assert "…" in told
    assert told.count("长") < LONGEST


def test_tests_and_real_sessions_have_signs_of_their_own(library: Library) -> None:
    alone, both = page(counted(library, "A"), "en"), Read(page(counted(library, "A", real=("B",)), "en"))
    assert "reached by a real session" not in alone
    assert "✓ T" in both.row("value: A")[1]
    assert "✓ S" in both.row("value: B")[1]
    assert "✓ TS" in both.row("- phase: 头")[1]


def test_a_page_of_nothing_says_so() -> None:
    assert "There is nothing to be reached." in page(tally([], {}, []), "en")


def test_the_terminal_names_what_was_missed_with_its_place(library: Library) -> None:
    told = list(lines(counted(library, "A"), "en"))
    assert told[0] == "Script coverage: 5 of 11 reached (45.4%)"
    assert "  phase: 1 of 2 reached (50%)" in told
    line = SCRIPT[: SCRIPT.index("value: B")].count("\n") + 1
    assert f"  local/small.yaml:{line}: choice 2 local/small:head/pick/one" in told
    assert list(lines(counted(library, "A"), "zh", shown=1))[-1] == "…… 还有 5 处；--html 看全部。"


def test_sessions_of_other_versions_are_told_of(library: Library) -> None:
    found = tally([library.script("local/small")], {}, ["local"], others=3)
    assert any("3 more were of other versions" in each for each in lines(found, "en"))
    assert "3 more were of other versions" in page(found, "en")


def test_too_little_is_said_with_both_figures(library: Library) -> None:
    found = counted(library, "A")
    assert too_little(found, 45, "en") is None
    assert too_little(found, 47, "en") == "45.4% reached, less than the 47% that are asked for."
    assert too_little(found, 100, "zh") == "走到 45.4%，低于要求的 100%。"


def test_only_all_is_a_hundred() -> None:
    assert percent(99.99) == "99.9%"
    assert percent(100.0) == "100%"
    assert percent(0.0) == "0%"


def test_programs_are_told_the_same(library: Library) -> None:
    told = plain(counted(library, "A", "B"))
    assert told["tests"] == 2
    assert (told["reached"], told["total"]) == (8, 11)
    assert told["kinds"]["branch"] == {"reached": 4, "total": 4, "percent": 100.0}
    assert [each["id"] for each in told["missed"]] == [
        "local/other:head",
        "local/other:head/say",
        "local/other:head/say/hi",
    ]
    assert all(each["file"] == "small.yaml" and each["line"] > 0 for each in told["missed"])


def test_every_way_has_a_name_in_both_languages(library: Library) -> None:
    from heartrule.testing.talk import shipped

    for language in BOTH:
        words = CoverageWords(language)
        for item in items(shipped("cbt/abc_intro")):
            if item.kind == "branch":
                way = item.id.rpartition(": ")[2]
                assert words.way(way)
                assert language == "en" or not re.fullmatch(r"[a-z_ ]+", words.way(way)), way
    assert CoverageWords("en").way("something new") == "something new"


def test_both_languages_have_the_same_texts() -> None:
    text = (files("heartrule.script_tests") / "coverage_texts.yaml").read_text(encoding="utf-8")
    loaded = yaml.safe_load(text)

    def keys(of: object, at: str = "") -> Iterator[str]:
        if isinstance(of, dict):
            for key, value in of.items():
                yield from keys(value, f"{at}.{key}")
        else:
            yield f"{at} {sorted(NAMES.findall(str(of)))}"

    assert sorted(keys(loaded["zh"])) == sorted(keys(loaded["en"]))


def test_the_shell_has_no_stray_dollar() -> None:
    shell = Path(str(files("heartrule.script_tests") / "coverage.html")).read_text(encoding="utf-8")
    assert sorted(re.findall(r"\$(\w+)", shell)) == ["body", "lang", "title"]


# looks


def light(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_everything_can_be_read_in_the_light_and_in_the_dark(theme: int) -> None:
    shell = (files("heartrule.script_tests") / "coverage.html").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", re.findall(r":root \{(.*?)\}", shell, re.DOTALL)[theme]))
    for ink, ground in (
        ("ink", "ground"),
        ("faint", "ground"),
        ("ink", "card"),
        ("faint", "card"),
        ("reached", "card"),
        ("partly", "partly-ground"),
        ("missed", "missed-ground"),
        ("ink", "partly-ground"),
        ("ink", "missed-ground"),
        ("faint", "missed-ground"),
    ):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
