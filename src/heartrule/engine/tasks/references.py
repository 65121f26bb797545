"""What the person's words of this turn refer to that is remembered, as prompts tell it: whom a pronoun means, and how
scores stood at a time that is named. Where that cannot be told, that it is to be asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heartrule.engine.session.io import Message
from heartrule.engine.variables import memories
from heartrule.engine.work import Work
from heartrule.locales import is_chinese
from heartrule.memory import people, score_comparison, time_words
from heartrule.memory.item import Item

FAR = 2 * people.NEAR
"""Messages back in which whoever was just spoken of is looked for, those of the AI among them."""


def lines(work: Work) -> Iterator[str]:
    said = [each for each in work.messages if each.sender == "person"]
    if not said or any(each.withheld for each in said):
        return
    text = "\n".join(each.text for each in said)
    asks_whom = people.has_pronoun(text)
    span = time_words.span(text, work.world.now) if time_words.compared(text) else None
    if not asks_whom and span is None:
        return
    held = [*memories.held(work.memories), *memories.referred(work.memories)]
    if asks_whom:
        earlier = [each for each in work.transcript() if each.number < said[0].number and not each.withheld]
        yield from _whom(work, text, earlier, held)
    if span is not None:
        yield from _stood(work, held, span, asks=time_words.asks(text))


def _whom(work: Work, text: str, earlier: Sequence[Message], held: Sequence[Item]) -> Iterator[str]:
    own = [kin for each in earlier if each.sender == "person" for kin in people.mentioned(each.text)]
    others = {each.key: each for each in (*own, *people.known(held))}
    near = [each.text for each in earlier[-FAR:] if each.sender == "person" or _names_one(each.text)]
    meant = people.meant(text, near, list(others.values()))
    if meant is None:
        return
    key = "one" if len(meant.who) == 1 else "several" if meant.who else "nobody"
    who = work.spoken("memory_or", 0).join(_called(work, each) for each in meant.who)
    yield "- " + work.spoken(f"memory_whom.{key}", 0).replace("{word}", meant.word).replace("{who}", who)


def _names_one(text: str) -> bool:
    """Words of the AI count where they speak of a man or a woman: of friends it asks in general."""
    return any(each.gender for each in people.mentioned(text))


def _called(work: Work, who: people.Kin) -> str:
    zh = is_chinese(work.world.script.locale)
    word = who.zh if zh else who.en
    if not who.name or who.name == word:
        return word
    return f"{word}（{who.name}）" if zh else f"{word} ({who.name})"


def _stood(work: Work, held: Sequence[Item], span: time_words.Span, *, asks: bool) -> Iterator[str]:
    found = score_comparison.stood(held, span)
    for each in found:
        key = "unknown" if each.then is None else "same" if each.then is each.last else "both"
        if key == "unknown" and not asks:
            continue
        told = work.spoken(f"memory_score.{key}", 0)
        yield "- " + told.replace("{then}", _score(each.then or each.last)).replace("{last}", _score(each.last))
    if not found and asks:
        yield "- " + work.spoken("memory_score.none", 0)


def _score(item: Item) -> str:
    return f"[{item.at:%Y-%m-%d}] {item.content}"
