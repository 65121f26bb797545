"""The case file as prompts show it: short, in the person's words, behind what stays the same from turn to turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from heartrule.engine.casefile import records
from heartrule.engine.session.io import Message
from heartrule.engine.session.state import CaseKind, CaseRecord
from heartrule.engine.session.variables import Value
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.locales import is_chinese

VALUE = 60
"""Chinese characters of a known value; English ones three times as many."""
FACTS = 60
"""Known values that are shown at most, the newest."""
_LEARNED = ("json", "history", "llm", "rules", "fallback", "form", "passive", "correction")
_PLAIN: tuple[CaseKind, ...] = ("agenda", "boundary", "off_record", "theme", "distress", "risk", "protective")
_WHOLE: tuple[CaseKind, ...] = ("boundary", "off_record", "risk", "protective")
"""Of these as good as everything is shown: what is told in the middle may be what weighs most, or must not be said."""


def whole(work: Work) -> str:
    """All of it, for who sums up."""
    return "\n".join(filter(None, (facts(work), noted(work))))


def facts(work: Work, own: Collection[str] = (), messages: Sequence[Message] = (), *, named: bool = True) -> str:
    """What is known of the person, on one line: by name alone, or not at all unless ``named``, what ``messages``, which
    the prompt shows, still tell."""
    rows: list[str] = []
    seen: list[str] = []
    first = messages[0].at if messages else None
    for where in reversed(work.chain()):
        for name, value in work.variables.cells.get(where, {}).items():
            if name in own or value.value in (None, "", []) or value.strategy not in _LEARNED:
                continue
            if first is not None and value.updated_at >= first and value.strategy != "form":
                seen.append(name)
            else:
                rows += _row(work, name, value)
    semicolon, comma, still = ("；", "、", "（见对话）") if _zh(work) else ("; ", ", ", " (see the talk)")
    if seen and named:
        rows.append(comma.join(seen[-FACTS:]) + still)
    return semicolon.join(rows[-FACTS:])


def _row(work: Work, name: str, value: Value) -> list[str]:
    """Of a form that has scores nothing, these stand by themselves; of another all that was answered."""
    words = placeholders.format_value(value.value, work.world.script.locale)
    if value.strategy != "form" or not isinstance(value.value, dict):
        return [f"{name}={_cut(work, words)}"]
    return [] if any(key.endswith(".band") for key in value.value) else [f"{name}={_with_ends(work, name, words)}"]


def _with_ends(work: Work, name: str, words: str) -> str:
    """Of each number from a slider, what its ends mean: an 8 may be the best or the worst."""
    form = next((form for key, form in work.world.script.forms.items() if key.rpartition("/")[2] == name), None)
    colon = "：" if _zh(work) else ": "
    for field in form.fields if form is not None else ():
        if field.ends is not None and field.range is not None:
            (low, high), (least, most) = map(placeholders.format_value, field.range), field.ends
            told = f"{low} {least}–{high} {most}"
            words = words.replace(f"{field.id}{colon}", f"{field.id}({told}){colon}", 1)
    return words


def of_topic(work: Work) -> str:
    """What the running topic's own actions have found out so far, on one line."""
    body = work.body()
    own = {action.id or f"{work.running.ref}#{n}" for n, action in enumerate(body.actions if body else (), 1)}
    rows = [
        f"{name}={_cut(work, placeholders.format_value(value.value, work.world.script.locale))}"
        for where in reversed(work.chain())
        for name, value in work.variables.cells.get(where, {}).items()
        if value.source in own and value.value not in (None, "", []) and value.strategy in _LEARNED
    ]
    return ("；" if _zh(work) else "; ").join(rows[-FACTS:])


def noted(work: Work) -> str:
    """The records, a line for each kind."""
    lines: list[str] = []
    for kind in _PLAIN:
        found = [each for each in records.standing(work) if each.kind == kind]
        if found:
            lines.append(_line(work, kind, _texts(found, *((8, 16) if kind in _WHOLE else (3, 6)))))
    refused = [each for each in records.standing(work) if each.kind == "refusal"]
    if refused:
        lines.append(_line(work, "refusal", _texts(refused, 3, 6)))
    for kind in ("question", "promise"):
        open_ = records.waiting(work, kind)
        if open_:
            lines.append(_line(work, kind, [f"[{each.number}] {each.text}" for each in open_]))
    thoughts = list(_thoughts(work))
    if thoughts:
        lines.append(_line(work, "thought", thoughts))
    return "\n".join(lines)


def _texts(found: list[CaseRecord], first: int, last: int) -> list[str]:
    return [each.text for each in _kept(found, first, last)]


def _kept(found: list[CaseRecord], first: int, last: int) -> list[CaseRecord]:
    """What came first is often what weighs most; of what lies between the newest stays."""
    return found if len(found) <= first + last else [*found[:first], *found[-last:]]


def _thoughts(work: Work) -> Iterator[str]:
    zh = _zh(work)
    for each in _kept([record for record in records.standing(work) if record.kind == "thought"], first=2, last=4):
        words = f"“{each.text}”"
        if each.before:
            arrow = f"→{each.after}" if each.after else ""
            words += f"（信{each.before}{arrow}）" if zh else f" (believed {each.before}{arrow})"
        yield words


def _line(work: Work, kind: CaseKind, texts: list[str]) -> str:
    colon, semicolon = ("：", "；") if _zh(work) else (": ", "; ")
    return f"{work.spoken(f'case.{kind}', 0)}{colon}{semicolon.join(texts)}"


def _cut(work: Work, text: str) -> str:
    line, most = " ".join(text.split()), VALUE if _zh(work) else VALUE * 3
    return line if len(line) <= most else f"{line[:most]}…"


def _zh(work: Work) -> bool:
    return is_chinese(work.world.script.locale)
