"""Words sent to an answered question before the next one was seen, which put that answer right (不对，是31): the later
one counts, is recorded as a correction and said back. What only adds to the answer is left to ``late``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrule import readers
from heartrule.engine import flow
from heartrule.engine.actions.base import Heard
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.events import LateWords
from heartrule.engine.state import Asked
from heartrule.engine.understanding import late, questions_back, taken_back, which_answer
from heartrule.engine.understanding.which_answer import Known, Taken
from heartrule.engine.work import Work
from heartrule.readers import murmurs
from heartrule.readers.corrections import Correction, amends, correction, hinted
from heartrule.readers.yes_no import is_plain

_TEXT = (None, "text")


def take(
    work: Work, asked: Asked | None, heard: Heard, numbers: Sequence[int], answer: Answer | None
) -> tuple[bool, str]:
    """Let the words join their answer, or put it right. Whether a variable marked ``risk`` became true or unclear by
    them; and what is to be said about it."""
    if asked is None or heard.repair is not None:
        return late.append(work, asked, heard, numbers, answer)[0], ""
    known = _known(work, asked)
    taken = _taken(work, known, asked, heard, answer)
    if taken is None:
        risky, outcome = late.append(work, asked, heard, numbers, answer)
        return risky, _changed(work, asked, known) if outcome != "kept" else _too_late(work, asked, heard)
    taken_back.settle(work, taken)
    outcome = "corrected" if taken.is_put_right else "kept"
    work.emit(LateWords(action=asked.action, messages=list(numbers), outcome=outcome))
    if taken.known is not None:
        late.join(asked, heard.text)
    return False, taken.line


def _too_late(work: Work, asked: Asked, heard: Heard) -> str:
    """What cannot be put right, because where it was kept has ended, is said."""
    if late.names(work, asked):
        return ""
    takes_back = correction(heard.text) or hinted(heard.text)
    return work.spoken("correction_too_late", 0) if takes_back is not None else ""


def say(work: Work, line: str) -> None:
    """Say it before the question that waits, which is put once more."""
    action = flow.present_action(work)
    if not line or work.state.ended:
        return
    if action is None or action.type in questions_back.GO_ON:
        work.tell(line)
    else:
        flow.put_again(work, line)


def _known(work: Work, asked: Asked) -> list[Known]:
    return [
        Known(item.get, rules, value, asked) for item, rules, value in late.told(work, asked) if which_answer.can(rules)
    ]


def _taken(work: Work, known: Sequence[Known], asked: Asked, heard: Heard, answer: Answer | None) -> Taken | None:
    """What they put right by rules; None where they are more of the answer, or a model has read them."""
    said = amends(heard.text)
    offered: Mapping[str, Any] = (answer.data or {}).get("values") or {} if answer is not None else {}
    if (answer is not None and answer.data is not None) and (said is None or not _unmoved(known, offered)):
        return None
    open_to = [each for each in known if not each.rules.risk]
    if said is None:
        return _bare(work, open_to, heard.text)
    named = which_answer.named(work, open_to, said) if said.about else []
    plainly = correction(heard.text) is not None
    read = [(each, _read(work, each, said, plainly=plainly)) for each in named or open_to]
    able = [(each, found) for each, found in read if found is not None]
    if len(able) == 1:
        each, found = able[0]
        return None if found.value == each.value.value else Taken(each, found.value, found.evidence)
    is_unclear = said.plain != "denied" and bool(open_to) and len(open_to) == len(known)
    return Taken(None) if is_unclear else None


def _unmoved(known: Sequence[Known], offered: Mapping[str, Any]) -> bool:
    """Whether a model has only given once more what was known, while the words take something back."""
    for each in known:
        given = offered.get(each.name)
        value = given.get("value") if isinstance(given, Mapping) else given
        if value is not None and value != each.value.value:
            return False
    return True


def _read(work: Work, known: Known, said: Correction, *, plainly: bool) -> readers.Read | None:
    """``plainly``: it opens as a correction does anywhere. A text is not given up for less, unless it is like it."""
    if known.rules.type in _TEXT and not known.rules.options:
        able = plainly or which_answer.is_alike(work, known, said.new)
        return which_answer.of_latest(work, known, said) if able else None
    if known.rules.type in ("integer", "number") and not which_answer.is_its_number(work, known, said.new):
        return None
    return which_answer.reading(work, known, said.new)


def _bare(work: Work, known: Sequence[Known], text: str) -> Taken | None:
    """Another value and nothing else: their sender cannot have meant the question that came after. Where a change is to
    be confirmed, that is how it is asked about."""
    known = [each for each in known if not each.rules.confirm_change]
    if len(known) != 1 or (known[0].rules.type in _TEXT and not known[0].rules.options) or murmurs.says_nothing(text):
        return None
    if known[0].rules.type == "boolean" and not is_plain(text):
        return None
    found = _read(work, known[0], Correction("denied", text, text), plainly=False)
    if found is None or found.value == known[0].value.value:
        return None
    return Taken(known[0], found.value, found.evidence)


def _changed(work: Work, asked: Asked, before: Sequence[Known]) -> str:
    """What is said of a single value that a model has read anew in them."""
    now = {each.name: each.value.value for each in _known(work, asked)}
    moved = [
        now[each.name]
        for each in before
        if each.name in now and now[each.name] != each.value.value and each.rules.type not in _TEXT
    ]
    return taken_back.corrected(work, moved[0]) if len(moved) == 1 else ""
