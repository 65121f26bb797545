"""What is known of public questionnaires by their LOINC codes: their answers, and what their totals add up.

Answer lists and codes: LOINC (https://loinc.org). Bands: Kroenke 2001 (PHQ-9), Spitzer 2006 (GAD-7), Kroenke 2009
(PHQ-4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from heartrule.language.nodes.forms import LOINC, Code, FormField

Resource = dict[str, Any]
_LIST = re.compile(r"(?<![A-Za-z0-9])LL\d+-\d(?![0-9])", re.IGNORECASE)
_FREQUENCY = (
    ("LA6568-5", "Not at all", 0),
    ("LA6569-3", "Several days", 1),
    ("LA6570-1", "More than half the days", 2),
    ("LA6571-9", "Nearly every day", 3),
)
_DIFFICULTY = (
    ("LA6572-7", "Not difficult at all", 0),
    ("LA6573-5", "Somewhat difficult", 1),
    ("LA6575-0", "Very difficult", 2),
    ("LA6574-3", "Extremely difficult", 3),
)
_LISTS = {"LL358-3": _FREQUENCY, "LL359-1": _DIFFICULTY}


_RISKY = frozenset({"44260-8"})
"""Questions about wanting to be dead or to hurt oneself, to which only "not at all" (0) is an all-clear."""


@dataclass(frozen=True, slots=True)
class Total:
    """``items`` are the codes of what is added; ``panel`` is the code of the questionnaire whose total it is."""

    code: str
    panel: str | None
    items: tuple[str, ...]
    bands: tuple[tuple[int, int, str], ...] = ()


_PHQ9 = ("44250-9", "44255-8", "44259-0", "44254-1", "44251-7", "44258-2", "44252-5", "44253-3", "44260-8")
_GAD7 = ("69725-0", "68509-9", "69733-4", "69734-2", "69735-9", "69689-8", "69736-7")
TOTALS = {
    total.code: total
    for total in (
        Total(
            "44261-6",
            "44249-1",
            _PHQ9,
            (
                (0, 4, "None or minimal"),
                (5, 9, "Mild"),
                (10, 14, "Moderate"),
                (15, 19, "Moderately severe"),
                (20, 27, "Severe"),
            ),
        ),
        Total(
            "70274-6", "69737-5", _GAD7, ((0, 4, "Minimal"), (5, 9, "Mild"), (10, 14, "Moderate"), (15, 21, "Severe"))
        ),
        Total(
            "70272-0",
            "69724-3",
            (*_GAD7[:2], *_PHQ9[:2]),
            ((0, 2, "Normal"), (3, 5, "Mild"), (6, 8, "Moderate"), (9, 12, "Severe")),
        ),
        Total("55758-7", "55757-9", _PHQ9[:2]),
    )
}
_PANELS = {total.panel: total for total in TOTALS.values()}


def answers(address: str) -> list[Resource]:
    """The options of a value set that is named by an answer list of LOINC; empty where we do not know it."""
    found = _LIST.search(address)
    known = _LISTS.get(found[0].upper(), ()) if found else ()
    return [{"value": count, "label": label, "code": {"code": code}} for code, label, count in known]


def bands(code: str) -> list[Resource]:
    total = TOTALS.get(code)
    return [{"from": low, "to": high, "label": label} for low, high, label in total.bands] if total else []


def crisis(fields: Iterable[FormField]) -> list[Resource]:
    """``on_answer`` of a form with a question about wanting to be dead: any answer above 0 begins crisis support."""
    return [
        {
            "field": field.id,
            "if": f"{field.id} > 0",
            "directive": "CALL_TECHNIQUE",
            "technique": "safety/crisis_support",
            "params": {"heard": "form"},
        }
        for field in fields
        if field.code is not None and field.code.system == LOINC and field.code.code in _RISKY and _numbered(field)
    ]


def _numbered(field: FormField) -> bool:
    return bool(field.options) and all(type(option.value) in (int, float) for option in field.options)


def panel(code: Code | None) -> Total | None:
    """The total of a questionnaire with this code."""
    return _PANELS.get(code.code) if code is not None and code.system == LOINC else None
