"""What is remembered of a session, made by code of what was said in it and came of it, and, where a model has read it,
of what that found and quoted. Nothing is made up: what has no quote is not there.

The same session gives the same items under the same ids, so that it can be made anew at any time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from heartrule.locales import is_chinese
from heartrule.memory import people
from heartrule.memory.item import ASKED, Item, Kind, Layer
from heartrule.memory.session_material import CaseEntry, ProvenValue, SaidMessage, SessionMaterial, Stretch

CONTENT, QUOTE = 400, 300
"""Characters of what an item says, and of its quote."""
PARTS = 12
"""Things that a summary tells at most."""
_EVENTS = {"thought": 0.7, "distress": 0.75, "theme": 0.55}
_HOMEWORK = re.compile(r"作业|练习任务|homework|assignment", re.IGNORECASE)
_LOOKED = re.compile(r"完成|做了|回顾|检查|反馈|done|review|looked|finished|completed", re.IGNORECASE)
_DUE = re.compile(r"截止|之前|期限|due|by when|deadline", re.IGNORECASE)
_SENTENCE = re.compile(r"[^。！？!?\n]*[。！？!?\n]|[^。！？!?\n]+")


def items(material: SessionMaterial, forgotten: frozenset[str] = frozenset()) -> list[Item]:
    """All that is remembered of the session, in an order of its own. ``forgotten``: the ids of what the person has had
    forgotten, of which summaries say nothing either."""
    made = [
        *_passages(material),
        *_events(material),
        *_known(material),
        *_homework(material),
        *_scores(material),
        *_people(material),
        *_read(material),
    ]
    gone = [each for each in made if each.id in forgotten]
    made = [each for each in made if each.id not in forgotten and not tells(each, gone)]
    made += _summaries(material, made, gone)
    return list({each.id: each for each in made}.values())


def tells(each: Item, gone: Sequence[Item]) -> bool:
    """Whether it is found again word for word, or sums up, what has been forgotten. What else rests on the same words
    is listed, and forgotten on its own."""
    return each.kind in ("passage", "summary") and any(_says(each.content, one) for one in gone)


def _says(text: str, gone: Item) -> bool:
    plain = " ".join(text.split())
    return any(words.rstrip("…") in plain for words in (gone.content, gone.quote) if words)


def _made(
    material: SessionMaterial,
    kind: Kind,
    layer: Layer,
    content: str,
    *,
    message: int,
    quote: str = "",
    importance: float = 0.5,
    mark: str = "",
    **more: Any,
) -> Item:
    at = next((each.at for each in material.said if each.number == message), material.began)
    stretch = material.topic(message)
    item = Item(
        id=f"{material.session}~{mark_of(kind, message, mark or content)}",
        kind=kind,
        type=layer,
        content=_cut(content, CONTENT),
        importance=importance,
        session=material.session,
        place=stretch.ref if stretch else "",
        topic=stretch.name if stretch else "",
        message=message,
        at=at,
        quote=_cut(quote, QUOTE),
    )
    return replace(item, **more)


def mark_of(kind: str, message: int, text: str) -> str:
    """The same for the same: what the person has had forgotten is known again."""
    return blake2b(f"{kind} {message} {text}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _passages(material: SessionMaterial) -> Iterator[Item]:
    """What the person said, word for word, with the question that it answers."""
    question = ""
    for each in material.said:
        if each.reply:
            asked = [part.strip() for part in _SENTENCE.findall(each.text) if part.rstrip().endswith(("?", "？"))]
            question = asked[-1][:120] if asked else ""
            continue
        if each.text.strip():
            fields = {ASKED: question} if question else {}
            yield _made(material, "passage", "mid", each.text, message=each.number, importance=0.3, fields=fields)
        question = ""


def _events(material: SessionMaterial) -> Iterator[Item]:
    for each in material.noted:
        if not each.quote or each.by != "person":
            continue
        text, message = _thought(material, each) if each.kind == "thought" else each.text, each.message
        mark = f"{each.kind} {each.number}"
        if each.kind in _EVENTS:
            layer: Layer = "long" if each.kind == "thought" else "mid"
            kind: Kind = "pattern" if each.kind == "thought" else "event"
            weight = _EVENTS[each.kind]
            yield _made(
                material,
                kind,
                layer,
                text,
                message=message,
                quote=each.quote,
                importance=weight,
                mark=mark,
                old=each.superseded,
            )
        elif each.kind == "agenda":
            fields = {"done": True} if each.done else {}
            yield _made(
                material,
                "goal",
                "long",
                text,
                message=message,
                quote=each.quote,
                importance=0.8,
                mark=mark,
                fields=fields,
                old=each.superseded,
            )
        elif each.kind in ("boundary", "refusal"):
            yield _made(
                material,
                "preference",
                "long",
                text,
                message=message,
                quote=each.quote,
                importance=0.9,
                mark=mark,
                fields={"sensitive": True},
                old=each.superseded,
            )


def _thought(material: SessionMaterial, each: CaseEntry) -> str:
    zh = is_chinese(material.locale)
    if not each.before:
        return each.text
    arrow = f"→{each.after}" if each.after else ""
    return f"“{each.text}”" + (f"（信{each.before}{arrow}）" if zh else f" (believed {each.before}{arrow})")


def _known(material: SessionMaterial) -> Iterator[Item]:
    for each in material.found:
        if _HOMEWORK.search(f"{each.name} {each.label}"):
            continue
        yield _of_value(material, each, "profile", 0.6)


def _of_value(material: SessionMaterial, each: ProvenValue, kind: Kind, weight: float) -> Item:
    colon = "：" if is_chinese(material.locale) else ": "
    made = _made(
        material,
        kind,
        "long",
        f"{each.label}{colon}{each.shown}",
        message=each.message,
        quote=each.quote,
        importance=weight,
        mark=f"{each.name} {each.shown}",
        names=(each.name,),
        subject=f"value {each.name}",
        old=not each.now,
    )
    return replace(made, at=each.at)


def _homework(material: SessionMaterial) -> Iterator[Item]:
    """What was agreed to be done until next time: given, due, looked at, each as far as the script has asked for it."""
    own = [each for each in material.found if each.now and _HOMEWORK.search(f"{each.name} {each.label}")]
    looked = [each for each in own if _LOOKED.search(f"{each.name} {each.label}")]
    due = [each for each in own if _DUE.search(f"{each.name} {each.label}") and each not in looked]
    for each in own:
        if each in looked or each in due:
            continue
        fields: dict[str, object] = {"given": each.at.date().isoformat()}
        if due:
            fields["due"] = due[0].shown
        yield replace(_of_value(material, each, "homework", 0.85), fields=fields, subject="homework")
    for each in looked:
        fields = {"looked": each.at.date().isoformat(), "came": each.shown}
        yield replace(_of_value(material, each, "homework", 0.7), fields=fields, subject="homework")


def _scores(material: SessionMaterial) -> Iterator[Item]:
    zh = is_chinese(material.locale)
    for each in material.scored:
        shown = f"{each.value:g}" + ((f"（{each.band}）" if zh else f" ({each.band})") if each.band else "")
        name = f"{each.name} {each.label}" if each.label and each.label != each.name else each.name
        made = _made(
            material,
            "score",
            "structured",
            f"{name}{'：' if zh else ': '}{shown}",
            message=each.message,
            importance=0.7,
            subject=f"score {each.form} {each.label}",
            fields={"form": each.form, "label": each.label, "value": each.value, "band": each.band},
        )
        yield replace(made, at=each.at)


def _people(material: SessionMaterial) -> Iterator[Item]:
    """Who was spoken of: each with the first sentence that names them."""
    seen: dict[str, SaidMessage] = {}
    for said in (each for each in material.said if not each.reply):
        for kin in people.mentioned(said.text):
            seen.setdefault(kin.key, said)
    called = {key: name for said in material.said if not said.reply for key, name in people.names(said.text).items()}
    for key, said in seen.items():
        kin = people.BY_KEY[key]
        word = kin.zh if is_chinese(material.locale) else kin.en
        fields = {"key": key, "relation": word, "gender": kin.gender} | ({"name": called[key]} if key in called else {})
        yield _made(
            material,
            "entity",
            "structured",
            word,
            message=said.number,
            quote=_sentence_with(said.text, kin),
            importance=0.4,
            mark=key,
            entity=called.get(key, word),
            fields={name: value for name, value in fields.items() if value},
        )


def _sentence_with(text: str, kin: people.Kin) -> str:
    plain = [part.strip() for part in _SENTENCE.findall(text)]
    return next((part for part in plain if any(word in part.casefold() for word in kin.words)), text)


_KINDS: dict[str, tuple[Kind, Layer, float]] = {
    "facts": ("profile", "long", 0.6),
    "events": ("event", "mid", 0.75),
    "patterns": ("pattern", "long", 0.7),
    "goals": ("goal", "long", 0.8),
    "preferences": ("preference", "long", 0.8),
}


def _read(material: SessionMaterial) -> Iterator[Item]:
    """What a model found, each with the words that prove it, in the message that holds them."""
    for reading in material.readings:
        for name, (kind, layer, weight) in _KINDS.items():
            for each in reading.data.get(name, ()):
                about = str(each.get("subject", ""))
                yield _made(
                    material,
                    kind,
                    layer,
                    each["text"],
                    message=each["message"],
                    quote=each["quote"],
                    importance=weight,
                    subject=f"said {about.casefold()}" if about else "",
                )
        for each in reading.data.get("people", ()):
            fields = {key: each[key] for key in ("relation", "gender", "feeling", "kind") if each.get(key)}
            yield _made(
                material,
                "entity",
                "structured",
                f"{each['name']}：{each.get('relation', '')}".rstrip("："),
                message=each["message"],
                quote=each["quote"],
                importance=0.5,
                entity=each["name"],
                fields=fields,
            )
        for each in reading.data.get("relations", ()):
            yield _made(
                material,
                "relation",
                "structured",
                f"{each['from']} → {each['relation']} → {each['to']}",
                message=each["message"],
                quote=each["quote"],
                importance=0.5,
                entity=each["from"],
                fields={"from": each["from"], "relation": each["relation"], "to": each["to"]},
            )
        for each in reading.data.get("notes", ()):
            yield _made(
                material,
                "note",
                "structured",
                each["text"],
                message=each["message"],
                quote=each["quote"],
                importance=0.5,
                by="ai",
            )


def _summaries(material: SessionMaterial, made: Sequence[Item], gone: Sequence[Item]) -> Iterator[Item]:
    """Of each topic that is over, and of a session that has ended: what was found in it, in the order it was said."""
    semicolon = "；" if is_chinese(material.locale) else "; "
    whole: list[str] = []
    for stretch in (each for each in material.stretches if each.over):
        read = [
            (each["text"], each["message"], each["quote"])
            for reading in material.readings
            if (reading.stretch, reading.first) == (stretch.ref, stretch.first)
            for each in reading.data.get("summary", ())
            if not any(_says(each["text"], one) or _says(each["quote"], one) for one in gone)
        ]
        parts = read or [(each.content, each.message, each.quote) for each in _within(made, stretch)]
        if not parts:
            continue
        text = semicolon.join(dict.fromkeys(text for text, _, _ in parts[:PARTS]))
        whole.append(f"{stretch.name}：{text}" if semicolon == "；" else f"{stretch.name}: {text}")
        yield _made(
            material,
            "summary",
            "mid",
            text,
            message=stretch.last,
            quote=parts[0][2],
            importance=0.6,
            mark=f"topic {stretch.ref} {stretch.first}",
            topic=stretch.name,
            place=stretch.ref,
            fields={"messages": [message for _, message, _ in parts[:PARTS]]},
        )
    if material.ended is not None and whole:
        last = material.said[-1].number if material.said else 0
        made_ = _made(
            material,
            "summary",
            "long",
            "\n".join(whole),
            message=last,
            importance=0.8,
            mark="session",
            topic=material.name,
            fields={"session": True},
        )
        yield replace(made_, content=_cut("\n".join(whole), 3 * CONTENT, lines=True))


_TELLING = ("profile", "homework", "goal", "pattern", "event", "preference", "score")


def _within(made: Sequence[Item], stretch: Stretch) -> list[Item]:
    found = [
        each
        for each in made
        if each.kind in _TELLING and not each.old and stretch.first <= each.message <= stretch.last
    ]
    return sorted(found, key=lambda each: each.message)


def _cut(text: str, most: int, *, lines: bool = False) -> str:
    line = text.strip() if lines else " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
