"""The PDF of a page: real letters of real fonts, or an error that says what is missing."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.reporting.material import HELD, ONE, all_of, course

from heartrule.reporting import paper
from heartrule.reporting.page import page


def text_of(made: bytes) -> tuple[str, list[str]]:
    """The words, and the fonts that they are set in."""
    pypdf = pytest.importorskip("pypdf")
    read = pypdf.PdfReader(io.BytesIO(made))
    fonts = [font.get_object() for each in read.pages for font in each["/Resources"]["/Font"].values()]
    files = [font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object() for font in fonts]
    assert all({"/FontFile2", "/FontFile3"} & set(each) for each in files), "a font is not in the file"
    return "".join(each.extract_text() for each in read.pages), [str(font["/BaseFont"]) for font in fonts]


def test_chinese_is_set_in_letters_that_are_in_the_file() -> None:
    pytest.importorskip("weasyprint")
    made = paper.pdf(page(ONE))
    assert made.startswith(b"%PDF-")
    told, fonts = text_of(made)
    together = "".join(told.split())
    for each in ("一周小结", "下雨了", "没有出门", "分数只说明", "12356", "2026年3月8日"):
        assert each in together, each
    assert fonts


def test_a_record_in_english_with_chinese_in_it_and_a_curve() -> None:
    pytest.importorskip("weasyprint")
    told, _ = text_of(paper.pdf(page(all_of(course(3, 8), locale="en"))))
    assert "How the scores went" in told
    assert "一周小结" in "".join(told.split())


def test_a_sign_that_no_font_has_becomes_a_box_and_spoils_nothing_beside_it() -> None:
    pytest.importorskip("weasyprint")
    told, _ = text_of(paper.pdf(page(replace(ONE, held=(replace(HELD, name="好的\ue123谢谢"),)))))
    assert "好的□谢谢" in told


def test_letters_that_no_font_has_are_an_error() -> None:
    pytest.importorskip("weasyprint")
    with pytest.raises(paper.NoFont):
        paper.pdf(page(replace(ONE, held=(replace(HELD, name="\U00010a00\U00010a10"),))))


def test_nothing_is_fetched_for_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("weasyprint")
    secret = tmp_path_factory.mktemp("secret") / "secret.svg"
    secret.write_text('<svg xmlns="http://www.w3.org/2000/svg"><text y="9">geheim</text></svg>', encoding="utf-8")
    html = page(ONE).replace("</main>", f'<img src="{secret.as_uri()}" alt="instead"></main>')
    told, _ = text_of(paper.pdf(html))
    assert "instead" in told
    assert "geheim" not in told


def test_without_the_extra_it_is_said_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "LIBRARY", "no_such_library")
    assert paper.is_possible() is False
    with pytest.raises(paper.NoPdf, match=r"heartrule\[pdf\]"):
        paper.pdf("<p>x</p>")


def test_without_pango_it_is_said_what_the_system_lacks(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("library")
    (folder / "lame_library.py").write_text("raise OSError('libpango')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(paper, "LIBRARY", "lame_library")
    assert paper.is_possible() is True
    with pytest.raises(paper.NoPdf, match="libpango"):
        paper.pdf("<p>x</p>")


class Document:
    def __init__(self, missing: dict[int, int]) -> None:
        self.fonts = {"a": type("Font", (), {"missing": missing})()}


class Written:
    """A library that lacks what it is told to, until it is not asked for it any more."""

    def __init__(self, lacks: str) -> None:
        self.lacks, self.given = lacks, list[str]()
        self.urls = SimpleNamespace(URLFetcher=lambda **_: None)

    def HTML(self, string: str, url_fetcher: Any) -> Written:  # noqa: N802
        self.given.append(string)
        return self

    def write_pdf(self, pdf_variant: str, finisher: Any) -> bytes:
        finisher(Document({ord(each): 1 for each in self.lacks if each in self.given[-1]}), None)
        return self.given[-1].encode()


@pytest.mark.parametrize(("lacks", "given"), [("", "好👍"), ("👍", "好□"), ("\U0001f600", "好👍")])
def test_only_what_is_missing_is_replaced(monkeypatch: pytest.MonkeyPatch, lacks: str, given: str) -> None:
    library: Any = Written(lacks)
    monkeypatch.setitem(sys.modules, "told_library", library)
    monkeypatch.setattr(paper, "LIBRARY", "told_library")
    assert paper.pdf("好👍").decode() == given


def test_a_letter_is_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    library: Any = Written("好👍")
    monkeypatch.setitem(sys.modules, "told_library", library)
    monkeypatch.setattr(paper, "LIBRARY", "told_library")
    with pytest.raises(paper.NoFont):
        paper.pdf("好👍")
