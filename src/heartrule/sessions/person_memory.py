"""The four layers of memory of one session's person, on the store: the nine calls of the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from heartrule.engine.session.tasks import Answer, Context, Line, Task
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model
from heartrule.llm.prompt import render
from heartrule.memory import derivation, grounding, lexical, people, time_words
from heartrule.memory.embeddings import Embedder
from heartrule.memory.item import ASKED, Item
from heartrule.memory.layers import Graph, Hit, Recent, Role, Timeline, Ways
from heartrule.memory.session_material import SaidMessage, SessionMaterial, Stretch, TopicReading
from heartrule.memory.tokens import NOW, asked
from heartrule.memory.tokens_of import tokens_of
from heartrule.sessions.clock import Clock
from heartrule.sessions.rows import answer_of, attempt_rows, call_row
from heartrule.sessions.transcript_loader import Label, load_material
from heartrule.store.recollections import Recollection, RecollectionQuery
from heartrule.store.records import MessageRecord, SessionRecord
from heartrule.store.store import Store

TEMPLATE = "remember"
WINDOW = 30
"""Rounds of the short layer."""
_PAST: tuple[str, ...] = (
    "before",
    "earlier",
    "used to",
    "以前",
    "原来",
    "之前",
    "过去",
    "当时",
    "最早",
    "一开始",
    "originally",
    "at first",
)
"""Words that ask how something was."""
_ONLY: Mapping[Ways, tuple[bool, bool, bool, bool]] = {
    "hybrid": (True, True, True, True),
    "keyword": (True, False, False, False),
    "lexical": (False, True, False, False),
    "semantic": (False, False, True, False),
    "time": (False, False, False, True),
    "graph": (True, False, False, False),
}
SO_NOW = 0.5
"""What it counts that a text says that something has become otherwise."""
STANDING = {"profile": 6, "preference": 4, "goal": 3, "homework": 2, "summary": 1}
"""What a session begins with, the newest of each kind."""


def wanted(query: str, now: datetime, ways: Ways = "hybrid", meaning: Any = None) -> RecollectionQuery:
    """What is looked for, in the ways that are wanted."""
    from heartrule.memory.index import Query

    words, spelling, semantic, time = _ONLY[ways]
    plain = query.casefold()
    made = Query(
        terms={},
        spelling=lexical.vector(query) if spelling else None,
        meaning=meaning if semantic else None,
        span=time_words.span(query, now) if time else None,
        kinds=frozenset({"entity", "relation"}) if ways == "graph" else frozenset(),
        compared=time and time_words.compared(query),
        outdated=any(word in plain for word in _PAST),
    )
    sought = asked(query) if words else {}
    return RecollectionQuery(sought, made, {} if made.outdated else {NOW: SO_NOW})


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """``Layers`` of the session ``record``. ``across``: the person wants sessions to know of earlier ones."""

    store: Store
    record: SessionRecord
    clock: Clock
    across: bool = False
    embedder: Embedder | None = None
    script: Script | None = None
    label: Label = lambda project, name, locale: name
    model: Model | None = None

    # short

    async def add_message(self, role: Role, content: str, *, at: datetime | None = None) -> int:
        return await self.store.recollections.bring(self.record.id, role, content, at or self.clock.now())

    async def get_recent_context(self, n: int) -> tuple[Recent, ...]:
        found = await self.store.last_messages(self.record.id, limit=max(1, n) * 6)
        seen = [each for each in found if not each.withheld and each.text and each.sender != "system"]
        topics = (await self._told()).topic if self.script is not None else lambda number: None
        rounds = _rounds(seen, n)
        return tuple(
            Recent(
                number=each.number,
                role="person" if each.sender == "person" else "ai",
                text=each.text,
                at=each.at,
                topic=of.name if (of := topics(each.number)) is not None else "",
            )
            for each in rounds
        )

    # mid

    async def summarize_topic(self, topic_id: str) -> Item | None:
        items = await self.remember()
        found = [each for each in items or () if each.kind == "summary" and topic_id in (each.place, each.topic)]
        return found[-1] if found else None

    async def remember(self, *, seq: int | None = None) -> list[Item] | None:
        """Make anew all that is remembered of the session, of what stands. ``seq``: as of this turn; None, and nothing
        written, where the session has moved on meanwhile or the person has decided otherwise. ``Gone``."""
        given = [each for each in await self.store.recollections.of_session(self.record.id) if each.place == GIVEN]
        forgotten = await self.store.recollections.forgotten(self.record.id)
        made = [*derivation.items(await self._told(read=True), forgotten), *given]
        kept = made if self._is_kept() else given
        across = None if seq is None else self.across
        return made if await self.store.recollections.keep(self.record.id, kept, seq=seq, across=across) else None

    def _is_kept(self) -> bool:
        """A session that is over is remembered for others only where the person wants it."""
        return self.across or self.record.ended_at is None

    async def _told(self, *, read: bool = False) -> SessionMaterial:
        if self.script is None:
            found = await self.store.messages(self.record.id)
            return imported(self.record, found)
        made = await load_material(self.store, self.record, self.script, self.label)
        if not read or self.model is None or not self.model.configured:
            return made
        readings = [await self._reading(made, each) for each in made.stretches if each.over]
        return replace(made, readings=[each for each in readings if each is not None])

    async def _reading(self, material: SessionMaterial, stretch: Stretch) -> TopicReading | None:
        """What a model makes of a topic that is over, asked once; None where there is none, or too little was said."""
        if self.script is None:
            return None
        said = [each for each in material.said if stretch.first <= each.number <= stretch.last]
        if sum(not each.reply for each in said) < 2:
            return None
        scheme = self.script.session.template_scheme or self.script.project.template_scheme
        lines = [Line("ai" if each.reply else "person", each.text) for each in said]
        task = topic_task(self.script.locale, scheme, stretch, lines)
        answer = await self._answer(task)
        if answer.status != "answered" or answer.data is None:
            return None
        return TopicReading(stretch.ref, stretch.first, grounding.proved(answer.data, said))

    async def _answer(self, task: Task) -> Answer:
        """Kept with the turn at which it was asked, and found there by its prompt: the same is never bought twice."""
        assert self.model is not None
        prompt = render(task, self.script)
        for call in await self.store.calls(self.record.id):
            if call.key == task.key and call.prompt_hash == prompt.hash and call.status == "answered":
                return answer_of(call)
        answer = (await self.model.answer([task], script=self.script, stay=self.record.id))[task.key]
        at = self.clock.now()
        row = call_row(self.record.seq, task.template, answer, prompt.hash, at)
        await self.store.save_aside(self.record.id, [row], attempt_rows(self.record.seq, task, answer.attempts, at))
        return answer

    # long and structured

    async def update_long_term(self, key: str, value: str, *, quote: str, message: int) -> Item:
        return await self._give(
            _given(self, "profile", "long", value, quote, message, subject=f"given {key}", names=(key,))
        )

    async def add_entity(self, entity: str, attrs: Mapping[str, Any], *, quote: str, message: int) -> Item:
        item = _given(self, "entity", "structured", entity, quote, message, subject=f"entity {entity.casefold()}")
        return await self._give(replace(item, entity=entity, fields=dict(attrs)))

    async def add_relation(self, entity1: str, relation: str, entity2: str, *, quote: str, message: int) -> Item:
        text = f"{entity1} → {relation} → {entity2}"
        item = _given(self, "relation", "structured", text, quote, message, subject=f"relation {text.casefold()}")
        return await self._give(
            replace(item, entity=entity1, fields={"from": entity1, "relation": relation, "to": entity2})
        )

    async def _give(self, item: Item) -> Item:
        found = await self.store.messages(self.record.id, item.message - 1, 1)
        said = next((each for each in found if each.number == item.message and each.sender == "person"), None)
        if said is None or not item.quote or item.quote not in said.text:
            raise ValueError("the quote does not stand in that message of the person's")
        made = replace(item, at=said.at)
        await self.store.recollections.add(self.record.id, [made])
        return made

    # found again

    async def retrieve_memory(
        self, query: str, top_k: int, *, ways: Ways = "hybrid", tokens: int | None = None
    ) -> tuple[Hit, ...]:
        meaning = None
        if self.embedder is not None and _ONLY[ways][2]:
            meaning = await self.embedder.vector(query)
        what = wanted(query, self.clock.now(), ways, meaning)
        found: Sequence[Recollection] = await self._find(what, top_k)
        if ways in ("hybrid", "graph"):
            found = _with_people(found, [each.key for each in people.mentioned(query)])
        return _within([Hit(each.item, each.score, each.ways) for each in found], tokens)

    async def standing(self) -> tuple[Hit, ...]:
        """What a session begins with: who the person is, what came of the last one, what was to be done."""
        found = await self._find(wanted("", self.clock.now()), 0, STANDING)
        return tuple(Hit(each.item, each.score, each.ways) for each in found)

    async def query_graph(self, query: str, before: Sequence[str] = ()) -> Graph:
        held = [each.item for each in await self._held() if each.item.kind in ("entity", "relation")]
        newest = _newest(held)
        plain, keys = query.casefold(), {each.key for each in people.mentioned(query)}
        meant = people.meant(query, before, people.known(newest))
        keys |= set(meant.keys) if meant is not None else set()
        named = [each for each in newest if each.kind == "entity" and _is_named(each, plain, keys)]
        reached = {each.entity.casefold() for each in named}
        relations: list[Item] = []
        for _ in range(2):
            more = [
                each for each in newest if each.kind == "relation" and each not in relations and _ends(each) & reached
            ]
            relations += more
            reached |= {name for each in more for name in _ends(each)}
        beside = [
            each for each in newest if each.kind == "entity" and each not in named and each.entity.casefold() in reached
        ]
        return Graph((*named, *beside), tuple(relations), None if meant is None else meant.keys)

    async def get_timeline(self, start: datetime | None = None, end: datetime | None = None) -> Timeline:
        held = [each.item for each in await self._held()]
        return timeline(held, start, end)

    async def _held(self) -> list[Recollection]:
        found = await self.store.recollections.of_person(self.record.person, self.record.project)
        return [each for each in found if self.across or each.item.session == self.record.id]

    async def _find(
        self, what: RecollectionQuery, most: int, standing: Mapping[str, int] | None = None
    ) -> tuple[Recollection, ...]:
        query = what.query if self.across else replace(what.query, only=self.record.id)
        where = self.record.person, self.record.project
        return await self.store.recollections.find(*where, replace(what, query=query), most, standing)


GIVEN = "given"
"""The place of what was put in by a call, which is kept when a session is remembered anew."""
_TELLING = ("event", "score", "goal", "homework", "summary")


def timeline(held: Sequence[Item], start: datetime | None = None, end: datetime | None = None) -> Timeline:
    """Of what is remembered, what happened between two moments."""
    within = [each for each in held if (start is None or each.at >= start) and (end is None or each.at < end)]
    within.sort(key=lambda each: (each.at, each.id))
    curves: dict[str, list[tuple[datetime, float, str]]] = {}
    for each in (one for one in within if one.kind == "score" and "value" in one.fields):  # the person's words are none
        name = each.content.partition("：")[0].partition(":")[0]
        curves.setdefault(name, []).append((each.at, float(each.fields["value"]), str(each.fields.get("band", ""))))
    reached = [
        each
        for each in within
        if (each.kind == "goal" and each.fields.get("done"))
        or (each.kind == "homework" and "looked" in each.fields)
        or (each.kind == "summary" and each.fields.get("session"))
    ]
    events = tuple(each for each in within if each.kind in _TELLING)
    return Timeline(events, {name: tuple(points) for name, points in curves.items()}, tuple(reached))


def imported(record: SessionRecord, messages: Sequence[MessageRecord]) -> SessionMaterial:
    """A session that was brought along: what was said, and nothing else."""
    said = [
        SaidMessage(each.number, each.text, each.at, reply=each.sender != "person")
        for each in messages
        if not each.withheld
    ]
    return SessionMaterial(record.id, record.script, record.locale, record.created_at, said, ended=record.ended_at)


def _rounds(messages: Sequence[MessageRecord], n: int) -> Sequence[MessageRecord]:
    """The last ``n`` of them: a round begins where the person speaks after somebody else."""
    begins = [
        at
        for at, each in enumerate(messages)
        if each.sender == "person" and (at == 0 or messages[at - 1].sender != "person")
    ]
    return messages[begins[-n] :] if len(begins) > n > 0 else messages


def _given(memory: SessionMemory, kind: Any, layer: str, text: str, quote: str, message: int, **more: Any) -> Item:
    made = Item(
        id=f"{memory.record.id}~{derivation.mark_of(kind, message, text)}",
        kind=kind,
        type=layer,
        content=text[: derivation.CONTENT],
        importance=0.7,
        session=memory.record.id,
        place=GIVEN,
        topic="",
        message=message,
        at=memory.clock.now(),
        quote=quote[: derivation.QUOTE],
    )
    return replace(made, **more)


def topic_task(locale: str, scheme: str | None, stretch: Stretch, lines: Sequence[Line]) -> Task:
    """What a model is asked of a topic that is over."""
    return Task(
        key=f"remember {stretch.ref} {stretch.first} {stretch.last}",
        kind="analyse",
        role="understand",
        template=TEMPLATE,
        context=Context(scheme, locale, {"topic_name": stretch.name}, {}, tuple(lines)),
        values={},
        schema=grounding.schema(locale),
        temperature=0.0,
    )


def _newest(items: Sequence[Item]) -> list[Item]:
    """Of those about the same the newest, with what older ones know beside it."""
    found: dict[tuple[str, str], Item] = {}
    for each in items:
        key = (each.kind, str(each.fields.get("key") or each.entity.casefold()))
        if each.kind == "relation":
            key = (each.kind, each.content.casefold())
        older = found.pop(key, None)
        found[key] = each if older is None else replace(each, fields={**older.fields, **each.fields})
    return list(found.values())


def _is_named(each: Item, plain: str, keys: set[str]) -> bool:
    kin = people.kin_of(each)
    return (kin is not None and kin.key in keys) or (len(each.entity) > 1 and each.entity.casefold() in plain)


def _ends(relation: Item) -> set[str]:
    return {str(relation.fields["from"]).casefold(), str(relation.fields["to"]).casefold()}


def _with_people(found: Sequence[Recollection], keys: Sequence[str]) -> list[Recollection]:
    """Who is spoken of by name comes with a little more weight."""
    raised = [
        replace(each, score=each.score + 0.1, ways=(*each.ways, "graph"))
        if each.item.fields.get("key") in keys
        else each
        for each in found
    ]
    return sorted(raised, key=lambda each: -each.score)


def _within(hits: Sequence[Hit], tokens: int | None) -> tuple[Hit, ...]:
    """The nearest of them that fit."""
    if tokens is None:
        return tuple(hits)
    kept, left = list[Hit](), tokens
    for each in hits:
        cost = tokens_of(each.item.content) + tokens_of(str(each.item.fields.get(ASKED, ""))) + 12
        if cost <= left:
            kept.append(each)
            left -= cost
    return tuple(kept)
