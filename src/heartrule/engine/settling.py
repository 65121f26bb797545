"""The question which of two things that were told counts: put once, as soon as the running action waits, in fixed
words; its answer is read by rules. Whatever else is said with it goes to the action that waits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from heartrule.engine import contradictions, crisis, scopes
from heartrule.engine.actions.base import Heard
from heartrule.engine.state import Contradiction
from heartrule.engine.unwritten import record
from heartrule.engine.wording import acknowledgement
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders, readers
from heartrule.language.merging import identity
from heartrule.language.reader_choosing import Chosen, chosen
from heartrule.language.readers import fold

_CLAUSE = re.compile(r"[，,。.！!？?；;、\n]+\s*")


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said to the question. ``which``: None when it is not plain. ``rest``: what else was said."""

    which: Chosen | None
    rest: str = field(repr=False)

    @property
    def is_all(self) -> bool:
        """Whether nothing else was said."""
        return self.which is not None and not self.rest


def put(work: Work) -> None:
    """Put the next question, where the running action waits for the person and nothing stands in the way."""
    waiting = _next(work)
    if waiting is None or _open(work) is not None:
        return
    text = placeholders.fill(
        work.spoken("which_counts", 0),
        {"before": waiting.before, "now": waiting.now}.get,
        lambda _: None,
        missing=lambda _: "",
    )
    if work.acknowledge:
        work.acknowledge = False
        text = f"{acknowledgement(work)}\n{text}"
    waiting.asked = work.tell(text, action=work.frame.id)


def reply(work: Work, heard: Heard) -> Reply | None:
    """How the question is answered that was put last; None where none was."""
    asked = _open(work)
    if asked is None:
        return None
    if _overtaken(work, asked) or heard.choice is not None or _picks(work, heard.text):
        return Reply(None, heard.text)
    which = _which(work, asked, heard.text)
    if which is not None:
        return Reply(which, "")
    parts, found = _parts(heard.text), list[Chosen]()
    while parts and (one := _which(work, asked, parts[0][1])) is not None:
        found.append(one)
        parts = parts[1:]
    if len(set(found)) != 1:
        return Reply(None, heard.text)
    return Reply(found[0], heard.text[parts[0][0] :].strip() if parts else "")


def settle(work: Work, said: Reply | None) -> None:
    """Decide by the reply: the newer one is written, or the earlier one stays. What is not plain leaves the earlier."""
    asked = _open(work)
    if asked is None:
        return
    offer = contradictions.offered(asked)
    held = work.variables.find(asked.name, [offer.where])
    which = said.which if said is not None else None
    asked.settled = work.state.seq
    if which == "newer" and held is not None:
        asked.part = contradictions.lost(asked, held[1].value)
        scopes.confirm(work, offer, asked.key)
        return
    record(work, offer, "kept", "the person keeps it" if which == "earlier" else "no plain answer")


def drop(work: Work, reason: str) -> None:
    """Nobody is asked any more: what is there stays."""
    for each in work.state.contradictions:
        if not each.settled:
            each.settled = work.state.seq
            record(work, contradictions.offered(each), "kept", reason)


def is_pending(work: Work) -> bool:
    """Whether a question is still to be put here."""
    return _next(work) is not None


def _next(work: Work) -> Contradiction | None:
    """The next that can be asked about. Those whose scope has gone are dropped."""
    if work.state.running is None or work.running.project == SAFETY or crisis.runs(work) or work.state.human:
        return None
    for each in work.state.contradictions:
        if each.settled or each.asked:
            continue
        if work.variables.find(each.name, [(each.scope, each.scope_key)]) is None:
            each.settled = work.state.seq
            record(work, contradictions.offered(each), "kept", "its scope is closed")
            continue
        return each
    return None


def _open(work: Work) -> Contradiction | None:
    """What the person has been asked about and has not answered."""
    return next((each for each in work.state.contradictions if each.asked and not each.settled), None)


def _overtaken(work: Work, asked: Contradiction) -> bool:
    """Whether something else was said to the person since."""
    return any(each.sender != "person" and each.number > asked.asked for each in work.transcript())


def _picks(work: Work, text: str) -> bool:
    """Whether the words are one of the choices that are waiting."""
    wait = work.frame.wait if work.state.running is not None and work.running.action is not None else None
    offered = [(choice.value, choice.label) for choice in wait.choices] if wait else []
    return bool(offered) and readers.match_choice(text, offered, work.world.script.locale) is not None


def _parts(text: str) -> list[tuple[int, str]]:
    """The clauses, each with where it begins."""
    found, at = [], 0
    for end in [*_CLAUSE.finditer(text), None]:
        part = text[at : end.start() if end else len(text)]
        if part.strip():
            found.append((at, part.strip()))
        at = end.end() if end else at
    return found


def _which(work: Work, asked: Contradiction, text: str) -> Chosen | None:
    """A phrase, a yes or no, or one of the two said once more."""
    plain = chosen(text)
    if plain is not None:
        return plain
    held = work.variables.find(asked.name, [(asked.scope, asked.scope_key)])
    rules = scopes.definition(work, f"{asked.scope}.{asked.name}")[1]
    if held is not None and rules is not None and rules.type not in (None, "text", "boolean", "list", "object"):
        read = readers.read(rules, text, work.world.script.locale, work.world.now)
        if read is not None:
            same: dict[object, Chosen] = {identity(asked.part): "newer", identity(held[1].value): "earlier"}
            return same.get(identity(read.value))
    said, before, now = fold(text), fold(asked.before), fold(asked.now)
    if before and now and len(said) <= max(len(before), len(now)) + 6 and (now in said) != (before in said):
        return "newer" if now in said else "earlier"
    return None
