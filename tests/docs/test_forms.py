"""What the page about forms says is so, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.language.forms.test_library_forms import cbt
from tests.language.material import linted, loaded

from heartrule.language.forms.answers import check
from heartrule.language.forms.scoring import scores
from heartrule.language.nodes.forms import Form, FormField

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": DOCS / "forms.md", "zh": DOCS / "zh" / "forms.md"}
EXAMPLE = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| .*$", re.MULTILINE)
DIAGNOSTICS = Path(__file__).parents[2] / "src" / "heartrule" / "language" / "findings" / "diagnostics"


def page(lang: str) -> str:
    return PAGES[lang].read_text(encoding="utf-8")


def test_the_example_is_one_and_works() -> None:
    (text,) = EXAMPLE.findall(page("en"))
    assert EXAMPLE.findall(page("zh")) == [text]
    assert linted(text) == []
    form = loaded(text).forms[0]
    assert form.name == "睡眠小问卷"
    bad = check(form, {"nights": 0, "early": 2}, whole=True)
    assert [each.code for each in bad.problems] == ["check"]
    good = check(form, {"nights": 4, "early": 2, "what": "数羊"}, whole=True)
    assert (scores(form, good.values)["total"].value, scores(form, good.values)["total"].band) == (6, "值得谈一谈")


@pytest.mark.parametrize("lang", list(PAGES))
def test_what_is_shipped_is_listed_with_its_codes_and_bands(lang: str) -> None:
    rows = {match[1]: match[0] for match in ROW.finditer(page(lang))}
    forms = {str(form.id): form for form in cbt().forms if form.translation_of is None}
    assert set(rows) == set(forms)
    for name, form in forms.items():
        if form.code is None:
            continue
        codes = [form.code.code, *(score.code.code for score in form.scores if score.code is not None)]
        bands = [f"{band.from_:g}–{band.to:g}" for band in form.score_by_id["total"].bands]
        assert all(each in rows[name] for each in (*codes, *bands))
        if lang == "zh":
            assert all(band.label in rows[name] for band in form.score_by_id["total"].bands)


@pytest.mark.parametrize("lang", list(PAGES))
def test_variables_keys_and_codes_are_those_of_the_program(lang: str) -> None:
    text = page(lang)
    declared = {variable.var for variable in cbt().variables}
    (sentence,) = re.findall(r"^- (?:They set|它们写这些变量).*?(?=\n\n)", text, re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"`([^`]+)`", sentence)) <= declared
    known = {path.name[:4] for path in DIAGNOSTICS.glob("*.md")}
    assert set(re.findall(r"\b[EW]\d{3}\b", text)) <= known
    for kind in FormField.model_fields["type"].annotation.__args__:  # type: ignore[union-attr]
        assert f"`{kind}`" in text
    assert all(f"`{key}`" in text for key in ("source", "licence", "translation_of", "audience"))
    assert {"source", "licence", "translation_of", "audience"} <= set(Form.model_fields)


def test_both_pages_have_the_same_parts() -> None:
    shapes = [
        [line.split(" ")[0] for line in page(lang).splitlines() if line.startswith(("#", "```"))] for lang in PAGES
    ]
    assert shapes[0] == shapes[1]
