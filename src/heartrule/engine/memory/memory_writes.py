"""What an action leaves to be remembered when it ends: made by code, of what it found out and of what it explained.

Nothing is kept of what was not answered, of variables marked ``risk``, and of a turn whose words were withheld because
they told of danger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from heartrule.engine.action_types import registry
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.events import MemoryWritten, VariableOperation
from heartrule.engine.session.io import World
from heartrule.engine.session.variables import Value
from heartrule.engine.tasks.prompt_context import fill, without_notes
from heartrule.engine.variables import memories, scopes
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Action, Get
from heartrule.language.nodes.memory import WEIGHTS, MemoryWrite, weight
from heartrule.language.values.merge import identity
from heartrule.locales import is_chinese
from heartrule.memory.item import Item, Kind, Taken

CONTENT, QUOTE, NAME = 300, 160, 60
"""Characters of what an item says, of the sentence that proves it, and of whom it is about."""
SEPARATOR = "; "
ROUNDS = 3
"""Rounds of an action whose gist is remembered where it finds nothing out, the last ones."""
THINGS = 30
"""Items that one list is kept as, at most."""
_PUT_RIGHT = ("correction", "passive")
_UNDERSTOOD = ("json", "history", "llm", "rules", "passive", "correction")


class ExplanationReception(ActionState):
    """How an explanation was taken so far."""

    section: ClassVar[str] = "received"

    taken: tuple[Taken, ...] = ()


class Briefs(ActionState):
    """What the person's answers came to, in a model's words, round by round, each with the words themselves."""

    section: ClassVar[str] = "briefs"

    told: tuple[tuple[str, str], ...] = Field(default=(), repr=False)


def briefed(work: Work, brief: str) -> None:
    """What the answer of this round came to."""
    if brief and memories.remembers(work.world.script, work.state.memory):
        words = " ".join(message.text for message in work.messages if message.sender == "person")
        state = Briefs.of(work.frame)
        state.told = (*state.told, (brief[:QUOTE], words[:QUOTE]))[-ROUNDS:]


def ended(work: Work, action: Action | None) -> None:
    """The running action ends with the words of this turn."""
    found = memories.rules(work, action) if action is not None else None
    write = found.write if found is not None else None
    if action is None or write is None or not write.enabled or any(message.withheld for message in work.messages):
        return
    for item in _items(work, action, write):
        kept = work.world.memory.keep(memories.held(work.memories), item, mode=write.mode or "recent", most=write.top_k)
        again = any(kept.item.id in cell for cell in work.memories.cells.values())
        memories.drop(work.memories, (*kept.gone, kept.item.id) if again else kept.gone)
        memories.put(work, kept.item)
        _emit_written(work, kept.item, again=again, gone=kept.gone)


def heard(work: Work, *taken: Taken) -> None:
    """How the words of the running action were taken by the last answer. That somebody asked back stays."""
    state = ExplanationReception.of(work.frame)
    asked: tuple[Taken, ...] = ("asked",) if "asked" in (*state.taken, *taken) else ()
    state.taken = (*asked, *(each for each in taken if each != "asked"))


def renewed(work: Work) -> None:
    """What was put right in this turn is remembered as it is now. What is asked once more and answered otherwise was
    true when it was told, and stays. A list is left: its entries are items of their own."""
    script, policy = work.world.script, work.state.memory
    if not memories.remembers(script, policy) or any(message.withheld for message in work.messages):
        return
    written = [each for each in work.events if isinstance(each, VariableOperation) and each.old is not None]
    for event in (each for each in written if each.strategy in _PUT_RIGHT):
        for item in memories.held(work.memories):
            if item.session == work.world.session and item.kind == "answer" and event.name in item.names:
                _renew(work, item, event)


def _renew(work: Work, item: Item, event: VariableOperation) -> None:
    if item.entity and (list(item.names) != [item.entity] or isinstance(event.value, list)):
        return
    mark, old = _mark(work.world), _shown(work.world, event.old)
    parts = item.content.split(SEPARATOR)
    stale = [at for at, part in enumerate(parts) if part.endswith(f"{mark}{old}")]
    if not stale or event.value is None:
        return
    at = stale[0]
    parts[at] = parts[at].removesuffix(old) + _shown(work.world, event.value)
    fields = item.fields
    if item.entity:
        fields = event.value if isinstance(event.value, Mapping) else dict.fromkeys(item.fields, event.value)
        parts = [_listed(work.world, fields)]
    quote = _clipped(event.evidence or "", QUOTE)
    content = _clipped(SEPARATOR.join(parts), CONTENT)
    memories.put(work, replace(item, content=content, quote=quote, fields=dict(fields), at=work.world.now))
    _emit_written(work, item, again=True)


def _emit_written(work: Work, item: Item, *, again: bool, gone: tuple[str, ...] = ()) -> None:
    work.emit(
        MemoryWritten(
            action=item.action,
            item=item.id,
            of=item.kind,
            type=item.type,
            importance=item.importance,
            names=list(item.names),
            again=again,
            gone=list(gone),
        )
    )


def _items(work: Work, action: Action, write: MemoryWrite) -> Iterator[Item]:
    if action.traits.says == "model":
        if said := _explained(work, action):
            yield _made(work, write, "explanation", said, taken=ExplanationReception.of(work.frame).taken)
    elif action.traits.asks:
        wanted = gets(action.peek("output") or [])
        yield from _answers(work, wanted, write) if wanted else _gist(work, write)


def _answers(work: Work, wanted: Sequence[Get], write: MemoryWrite) -> Iterator[Item]:
    """What was found out of what the action wants."""
    known = [(item, value) for item in wanted if (value := _found(work, item)) is not None]
    if write.type == "structured":
        for item, value in known:
            yield from _things(work, write, item, value)
    elif known:
        lines = [f"{_meaning(work, item)}{_mark(work.world)}{_shown(work.world, value.value)}" for item, value in known]
        quotes = dict.fromkeys(value.evidence for _, value in known if value.evidence)
        yield _made(
            work,
            write,
            "answer",
            SEPARATOR.join(lines),
            quote=" / ".join(quotes),
            names=[item.get for item, _ in known],
        )


def _gist(work: Work, write: MemoryWrite) -> Iterator[Item]:
    """Of talk that finds nothing out: what was said, in short, with the words that it was made of."""
    told = Briefs.of(work.frame).told
    if told:
        content = SEPARATOR.join(dict.fromkeys(brief for brief, _ in told))
        yield _made(work, write, "answer", content, quote=" / ".join(words for _, words in told if words))


def _found(work: Work, item: Get) -> Value | None:
    """What this action has found out itself, proved by the person's words."""
    where, declared = scopes.definition(work, item.get)
    if scopes.rules_for(declared, item).risk:
        return None
    bare = item.get.partition(".")[2] if item.get.partition(".")[0] in scopes.SCOPES else item.get
    found = work.variables.find(bare, [where])
    value = found[1] if found is not None else None
    if value is None or value.value is None or value.source != work.frame.id:
        return None
    own_words = value.strategy == "fallback" and bool(value.evidence)  # a default has none
    return value if own_words or value.strategy in _UNDERSTOOD else None


def _things(work: Work, write: MemoryWrite, item: Get, value: Value) -> Iterator[Item]:
    """One item for each thing: of a list each entry, by its key; else the value itself, under its own name."""
    rules = scopes.rules_for(scopes.definition(work, item.get)[1], item)
    made = partial(_made, work, write, "answer", quote=value.evidence or "", names=[item.get])
    if not isinstance(value.value, list):
        fields = value.value if isinstance(value.value, Mapping) else {_meaning(work, item): value.value}
        yield made(_listed(work.world, fields), entity=item.get[:NAME], fields=fields)
        return
    for each in value.value[:THINGS]:
        fields = each if isinstance(each, Mapping) else {}
        name = fields.get(rules.key) if rules.key else None
        if name is None:
            name = next((text for text in fields.values() if isinstance(text, str) and text.strip()), None)
        entity = _shown(work.world, each if not fields else name or identity(each))[:NAME]
        content = f"{entity}{_mark(work.world)}{_listed(work.world, fields)}" if fields else entity
        yield made(content, entity=entity, fields=fields)


def _made(
    work: Work,
    write: MemoryWrite,
    kind: Kind,
    content: str,
    *,
    quote: str = "",
    names: Sequence[str] = (),
    taken: tuple[Taken, ...] = (),
    entity: str = "",
    fields: Mapping[str, Any] | None = None,
) -> Item:
    running, frame = work.running, work.frame
    written = 1 + sum(isinstance(event, MemoryWritten) for event in work.events)
    return Item(
        id=f"{work.world.session or 'here'}.{work.state.seq}.{written}",
        kind=kind,
        type=write.type or "mid",
        content=_clipped(content, CONTENT),
        importance=weight(write.importance, WEIGHTS["medium"]),
        session=work.world.session,
        place="/".join((running.ref, running.item or "", frame.id)),
        topic=running.name,
        message=work.state.messages,
        at=work.world.now,
        action=frame.id,
        quote=_clipped(quote, QUOTE),
        names=tuple(names),
        taken=taken,
        entity=entity,
        fields=dict(fields or {}),
        passes=running.passes,
    )


def _explained(work: Work, action: Action) -> str:
    """The points that were covered, where a model has named them; else the script's own words, without notes."""
    covered = registry()[action.type].covered(work.frame)
    aim = fill(work, action.peek("goal"), to_person=True)
    points = "; ".join(covered) if covered else fill(work, without_notes(action.peek("content") or ""), to_person=True)
    return f"{aim}{_mark(work.world)}{points}" if aim and points else aim or points


def _meaning(work: Work, item: Get) -> str:
    rules = scopes.rules_for(scopes.definition(work, item.get)[1], item)
    return rules.define or item.get


def _mark(world: World) -> str:
    return "：" if is_chinese(world.script.locale) else ": "


def _shown(world: World, value: Any) -> str:
    return placeholders.format_value(value, world.script.locale)


def _listed(world: World, fields: Mapping[str, Any]) -> str:
    mark, known = _mark(world), ((name, value) for name, value in fields.items() if value is not None)
    return SEPARATOR.join(f"{name}{mark}{_shown(world, value)}" for name, value in known)


def _clipped(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
