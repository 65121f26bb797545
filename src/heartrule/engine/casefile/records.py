"""Records of the case file: made from quotes, never changed into something else, and taken up one by one.

What a variable holds is no record; the case file keeps what the script has no place for and the talk must not lose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

from heartrule import parsing
from heartrule.engine.session.events import CaseNoted
from heartrule.engine.session.state import CaseKind, CaseRecord
from heartrule.engine.work import Work

KEPT = 80
"""Records that a session keeps at most; of themes the oldest give way first."""
LONGEST = 160
"""Characters of a record's text and of its quote."""
KINDS: tuple[CaseKind, ...] = (
    "boundary", "off_record", "question", "theme", "agenda", "thought", "risk", "protective", "distress",
)  # fmt: skip
"""What is noted from a person's words; refusals and promises come with the reply that takes them in."""
_SAME = 0.82
"""How alike two texts of a kind are that say one thing."""
_WHOLE = 6
"""Letters of a text that says the same as a longer one that holds it."""
_OPEN: tuple[CaseKind, ...] = ("question", "promise")


def note(
    work: Work,
    kind: CaseKind,
    text: str,
    quote: str = "",
    *,
    about: Sequence[str] = (),
    by_ai: bool = False,
    before: str = "",
    replaces: str = "",
) -> CaseRecord | None:
    """Keep a record. What says the same as one that is there adds to that one; None where there is nothing to keep.
    ``replaces``: the text of a record, of this kind rather than another, that the person has put right by it (or of a
    boundary that they have lifted by speaking of it after all); that one no longer counts."""
    text, quote = " ".join(text.split())[:LONGEST], " ".join(quote.split())[:LONGEST]
    if not text:
        return None
    old = _put_right(work, kind, replaces)
    same = _same(work, kind, text, quote, but=old)
    if same is not None:
        more = [name for name in about if name not in same.about]
        if more:
            same.about = [*same.about, *more]
            _emit_noted(work, same)
        _supersede(work, old, same)
        return same
    last = work.state.case[-1].number if work.state.case else 0
    record = CaseRecord(
        number=last + 1,
        kind=kind,
        text=text,
        quote=quote,
        message=work.state.messages,
        by="ai" if by_ai else "person",
        about=list(dict.fromkeys(about)),
        before=before,
    )
    work.state.case = _bounded([*work.state.case, record])
    _emit_noted(work, record)
    _supersede(work, old, record)
    return record


def _put_right(work: Work, kind: CaseKind, replaces: str) -> CaseRecord | None:
    if not replaces.strip():
        return None
    found = (_same(work, each, replaces, "") for each in (kind, *KINDS))
    return next((each for each in found if each is not None), None)


def _supersede(work: Work, old: CaseRecord | None, by: CaseRecord) -> None:
    if old is not None and old is not by:
        old.superseded = by.number
        _emit_noted(work, old)


def believed(work: Work, quote: str, belief: str) -> CaseRecord | None:
    """A thought, and how far it is believed: the first figure stands before, the last one after what was talked."""
    record = note(work, "thought", quote, quote)
    if record is not None and belief:
        if not record.before:
            record.before = belief
        elif belief != record.before or record.after:
            record.after = belief
        else:
            return record
        _emit_noted(work, record)
    return record


def take_up(work: Work, numbers: Collection[int]) -> None:
    """Questions that have been answered, and promises that were kept."""
    for record in work.state.case:
        if record.number in numbers and record.kind in _OPEN and not record.done:
            record.done = work.state.messages or 1
            _emit_noted(work, record)


def waiting(work: Work, *kinds: CaseKind) -> list[CaseRecord]:
    """Questions of the person and promises of ours that nobody has come back to."""
    wanted = kinds or _OPEN
    return [each for each in standing(work) if each.kind in wanted and not each.done]


def standing(work: Work) -> Iterator[CaseRecord]:
    return (each for each in work.state.case if not each.superseded)


def refused(work: Work) -> frozenset[str]:
    """The variables that the person would not talk about, by a refusal or because they fall under a boundary."""
    return frozenset(name for each in standing(work) if each.kind in ("refusal", "boundary") for name in each.about)


def _same(work: Work, kind: CaseKind, text: str, quote: str, *, but: CaseRecord | None = None) -> CaseRecord | None:
    """The record of this kind that says the same; ``but``: one that does not count, since it is being put right."""
    folded, said = parsing.fold(text), parsing.fold(quote)
    for record in standing(work):
        if record.kind != kind or record is but:
            continue
        other = parsing.fold(record.text)
        if other == folded or (kind != "refusal" and said and said == parsing.fold(record.quote)):
            return record  # the same words may refuse one thing now, and another later
        short, long = sorted((other, folded), key=len)
        if len(short) >= _WHOLE and short in long:
            return record
        if SequenceMatcher(None, other, folded, autojunk=False).ratio() >= _SAME:
            return record
    return None


def _bounded(records: list[CaseRecord]) -> list[CaseRecord]:
    while len(records) > KEPT:
        gone = next((each for each in records if each.kind in ("theme", "distress")), records[0])
        records = [each for each in records if each is not gone]
    return records


def _emit_noted(work: Work, record: CaseRecord) -> None:
    frame = work.state.running.action if work.state.running else None
    work.emit(
        CaseNoted(
            action=frame.id if frame else None,
            number=record.number,
            noted=record.kind,
            text=record.text,
            quote=record.quote,
            message=record.message,
            by=record.by,
            about=list(record.about),
            before=record.before,
            after=record.after,
            done=record.done,
            superseded=record.superseded,
        )
    )
