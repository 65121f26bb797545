"""Forms are filled, kept, handed in and put away as a person does it, and what comes of them can be expected."""

from __future__ import annotations

import pytest
from tests.script_tests.material import SCREENED, codes, failed, file_of, ran, screened

from heartrule.testing.talk import compile_text

DONE = "- fill: {q1: 1, q9: 0}\n"


@pytest.mark.parametrize(
    ("turns", "holds", "fails"),
    [
        ("- start:", "form: feel", "not: {form: feel}"),
        ("- start:", "request: form", "request: message"),
        (DONE, "submitted: feel", "not: {submitted: feel}"),
        (
            DONE,
            "submitted: {form: feel, scores: {total: 1}, bands: {total: 重}}",
            "submitted: {form: feel, scores: {total: 0}}",
        ),
        (DONE, "submitted: {form: feel, bands: {total: 重}}", "submitted: {form: feel, bands: {total: 轻}}"),
        (DONE, "set: {feel.total: 1, feel.total.band: 重, feel.q9: 0, 心情总分: 1}", "set: {feel.total: 2}"),
        (DONE, "set: {心情总分: {value: 1, strategy: form}}", "set: {心情总分: {strategy: rules}}"),
        ("- fill: {q1: 1}", "problems: q9", "problems: [q1]"),
        ("- fill: {q1: 1}\n- fill: {q9: 0}", "submitted: feel", "problems: q9"),
        ("- fill: {q1: 1}\n  submit: false", "problems: []", "problems: q9"),
        ("- fill: {q1: 1}\n  submit: false", "not: {submitted: feel}", "submitted: feel"),
        ("- fill: {q1: 0, q9: 1}\n  submit: false", "entered: crisis_support", "not: {entered: crisis_support}"),
        ("- fill: {q1: 1}\n  cancel: true", "said_contains: 谢谢", "submitted: feel"),
        ("- cancel: true", "completed: fill_in", "submitted: feel"),
        ("- fill: {q1: 1, q9: 0}\n  submit: false\n- reconnect\n- submit: true", "submitted: feel", "form: feel"),
    ],
)
def test_it_holds_when_it_should_and_fails_when_it_should(turns: str, holds: str, fails: str) -> None:
    script = screened()
    led = turns.rstrip("\n")
    good = ran(f"{led}\n  expect: {{{holds}}}", script=script)
    assert good.passed, (good.fault, failed(good))
    assert failed(ran(f"{led}\n  expect: {{{fails}}}", script=script))


CHECKED = SCREENED.replace(
    "    scores:\n", "    validate: [{check: q1 == 0 or q9 > 0, message: 请再看一眼。}]\n    scores:\n"
)


@pytest.mark.parametrize(
    ("turns", "holds", "fails"),
    [
        (DONE, "problems: feel", "problems: []"),
        (DONE, "problems: [心情表]", "problems: q1"),
        (DONE, "problems: {feel: 再看一眼}", "problems: {feel: 再见}"),
        (DONE, "form: feel", "submitted: feel"),
        ("- fill: {q9: 0}", "problems: {q1: 一项}", "problems: {q9: 一项}"),
    ],
)
def test_a_forms_own_check_is_called_by_the_form(turns: str, holds: str, fails: str) -> None:
    script, led = compile_text(CHECKED), turns.rstrip("\n")
    good = ran(f"{led}\n  expect: {{{holds}}}", script=script)
    assert good.passed, (good.fault, failed(good), good.took[-1].request)
    assert failed(ran(f"{led}\n  expect: {{{fails}}}", script=script))


def test_what_cannot_be_filled_stops_the_case() -> None:
    assert ran("- fill: {q1: 1}").fault == ("no_form", "fill")
    assert ran("- fill: {q5: 1}", script=screened()).fault == ("no_field", "q5 (q1, q9)")


@pytest.mark.parametrize(
    "expect",
    ["{form: fel}", "{submitted: fel}", "{submitted: {form: fel}}", "{submitted: {form: feel, scores: {totl: 1}}}"],
)
def test_a_form_that_is_not_there_is_a_finding(expect: str) -> None:
    assert codes(file_of(f"- start:\n  expect: {expect}"), screened()) == [("E703", 6)]
