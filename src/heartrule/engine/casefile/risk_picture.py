"""What the session knows of risk, seen together: a level, what stands behind it, what holds the person, what is open.

The level follows the published triage of the Columbia screener (C-SSRS Screener, Columbia Lighthouse Project): a wish
to be dead or thoughts without a way: low; a way thought of, or behaviour longer ago than three months: moderate;
intent, a plan, or behaviour within three months: high. Beside it stand the factors that SAMHSA's SAFE-T looks at. It is
a reading aid in our own words, no score and no rating by a clinician; it lowers nothing and calls nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from heartrule.engine.casefile import records
from heartrule.engine.session.state import CaseRecord
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.locales import is_chinese

Level = Literal["", "low", "moderate", "high"]
LEVELS: tuple[Level, ...] = ("", "low", "moderate", "high")

WEIGHT: dict[str, Level] = {
    "wish_dead": "low",
    "burden": "low",
    "suicidal_thoughts": "low",
    "method_thought": "moderate",
    "tried_ever": "moderate",
    "thoughts_now": "high",
    "suicidal_intent": "high",
    "suicidal_plan": "high",
    "harm_lately": "high",
    "means_at_hand": "high",
}
"""What a yes comes to, by the variable of the safety project (``library/safety/variables.yaml``). Thoughts at this very
moment and means at hand are taken as gravely as intent."""
THOUGHTS = frozenset(
    {"suicidal_thoughts", "thoughts_now", "method_thought", "suicidal_intent", "suicidal_plan", "item_nine"}
)
"""What nobody has without thinking of ending their life."""
BESIDE = ("hopeless", "alcohol_when_low", "alone_then")
"""What makes it weigh more, without a level of its own."""
HOLDS = ("protects", "confidant")
QUOTES = 3
"""Records of a kind that are shown."""
LONGEST = 40


@dataclass(frozen=True, slots=True)
class Picture:
    """``present``, ``beside`` and ``denied`` are names of variables; ``holds`` what holds the person, in their words;
    ``open`` what nobody has asked yet. ``noted``: records of the case file. ``handled``: how often the crisis technique
    was gone through; ``uncleared``: it was left with danger not ruled out."""

    level: Level
    present: tuple[str, ...]
    beside: tuple[str, ...]
    denied: tuple[str, ...]
    open: tuple[str, ...]
    holds: tuple[str, ...]
    noted: tuple[CaseRecord, ...]
    handled: int
    uncleared: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.present or self.noted or self.handled)


def seen(work: Work) -> Picture:
    """The picture as it stands now."""
    noted = tuple(each for each in records.standing(work) if each.kind in ("risk", "protective"))
    handled = work.state.handled
    return replace(picture(lambda name: lookup(work, name), noted, handled.times), uncleared=handled.open)


def picture(read: Callable[[str], Any], noted: tuple[CaseRecord, ...] = (), handled: int = 0) -> Picture:
    """``read`` gives a variable's value, None where it has none."""
    told = {name: read(name) for name in (*WEIGHT, *BESIDE)}
    if told["tried_ever"] is False and told["harm_lately"] is None:
        told["harm_lately"] = False  # never, and so not lately: it is not asked for
    present = [name for name in WEIGHT if told[name] is True]
    if _item_nine(read):
        present.append("item_nine")
    return Picture(
        level=_highest(present, noted, handled),
        present=tuple(present),
        beside=tuple(name for name in BESIDE if told[name] is True),
        denied=tuple(name for name, value in told.items() if value is False),
        open=tuple(name for name, value in told.items() if value is None),
        holds=tuple(str(value) for name in HOLDS if (value := read(name))),
        noted=noted,
        handled=handled,
    )


def _highest(present: list[str], noted: tuple[CaseRecord, ...], handled: int) -> Level:
    levels: list[Level] = [WEIGHT.get(name, "low") for name in present]
    if any(each.kind == "risk" for each in noted):
        levels.append("low")
    if handled:  # the answers stand in the talk; until somebody has read them nothing is ruled out
        levels.append("high")
    return max(levels, key=LEVELS.index, default="")


def _item_nine(read: Callable[[str], Any]) -> bool:
    """Whether the PHQ-9 was handed in with something on its last item."""
    answer = read("phq9.q9")
    return isinstance(answer, int | float) and not isinstance(answer, bool) and answer > 0


def prompt_line(work: Work) -> str:
    """One line for whoever judges: what was told so far, beyond the last messages; empty where nothing was."""
    shown = seen(work)
    if shown.is_empty:
        return ""
    thoughts = [each for each in records.standing(work) if each.kind == "thought"]
    rows = list(_rows(work, shown))
    if shown.uncleared:
        rows.append(work.spoken("risk_picture.uncleared", 0))
    for kind, found in (("risk", shown.noted), ("protective", shown.noted), ("thought", tuple(thoughts))):
        quotes = [_cut(each.quote or each.text) for each in found if each.kind == kind][-QUOTES:]
        if quotes:
            rows.append(_row(work, work.spoken(f"case.{kind}", 0), [f"“{each}”" for each in quotes]))
    return _joined(work, rows)


def report(work: Work) -> str:
    """The same for a professional, by the person's consent: with its level, and what was not talked about."""
    shown = seen(work)
    if shown.is_empty:
        return ""
    rows = [work.spoken(f"risk_picture.{shown.level or 'low'}", 0), *_rows(work, shown)]
    if shown.handled:
        rows.append(work.spoken("risk_picture.handled", 0))
    if shown.uncleared:
        rows.append(work.spoken("risk_picture.uncleared", 0))
    noted = [f"“{_cut(each.quote or each.text)}”" for each in shown.noted if each.kind == "risk"][-QUOTES:]
    if noted:
        rows.append(_row(work, work.spoken("risk_picture.said", 0), noted))
    if shown.open:
        rows.append(_row(work, work.spoken("risk_picture.open", 0), _names(work, shown.open)))
    return _joined(work, rows)


def _rows(work: Work, shown: Picture) -> Iterator[str]:
    parts = (
        ("present", _names(work, (*shown.present, *shown.beside))),
        ("denied", _names(work, shown.denied)),
        ("holds", [_cut(each) for each in shown.holds]),
    )
    for key, found in parts:
        if found:
            yield _row(work, work.spoken(f"risk_picture.{key}", 0), found)
    often = lookup(work, "wish_often")
    if often and shown.present:
        words = placeholders.format_value(often, work.world.script.locale)
        yield _row(work, work.spoken("risk_picture.often", 0), [_cut(words)])


def _names(work: Work, names: tuple[str, ...]) -> list[str]:
    return [work.spoken(f"risk_picture.{name}", 0) for name in names]


def _row(work: Work, called: str, found: list[str]) -> str:
    return f"{called}：{'、'.join(found)}" if _zh(work) else f"{called}: {', '.join(found)}"


def _joined(work: Work, rows: list[str]) -> str:
    return ("；" if _zh(work) else "; ").join(rows)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _zh(work: Work) -> bool:
    return is_chinese(work.world.script.locale)
