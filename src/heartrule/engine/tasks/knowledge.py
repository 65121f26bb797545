"""What a prompt is told of the files that a script names as its ``knowledge``: all of it where there is room, else the
paragraphs that are nearest to the topic.

Pure and the same for the whole topic, so that the beginning of its prompts stays the same. Nearness is the number of
different terms that a paragraph shares with the topic: no model, no index, nothing that has to be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from heartrule.engine.work import Work
from heartrule.language.nodes import Steps, TopicStrategy
from heartrule.language.projects.knowledge_files import Document, room

QUOTED, LEFT_OUT = "> ", "…"
_BLANK = re.compile(r"\n\s*\n")
_HEADING = re.compile(r"#{1,6}\s")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_HAN = re.compile("[\u3400-\u9fff]+")
_SENTENCES = re.compile(r"[^\n。！？.!?]*[\n。！？.!?]+\s*|[^\n。！？.!?]+")
LONGEST = 600
"""Characters of what is taken or left out as one."""
_SAID = ("content", "question", "topic_content", "goal")
_SHORTEST = 3
"""Letters of a word that counts; shorter ones stand in every text."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    document: int
    heading: str
    text: str

    def __len__(self) -> int:
        return len(self.text)


def prompt_part(work: Work) -> str:
    """For the running topic, or the phase where none runs; empty, at no cost, where the script names no files."""
    script = work.world.script
    return excerpt(script.knowledge, _about(work), script.locale) if script.knowledge else ""


def _about(work: Work) -> str:
    """What the talk is about, as the script has it: nothing that was said or found out, so that it stays the same."""
    node = work.script_node(work.state.running) if work.state.running is not None else None
    if node is not None:
        return "\n".join(_texts(node))
    return f"{work.phase.phase}\n{work.phase.goal}" if work.state.phase is not None else ""


def _texts(node: Steps) -> Iterator[str]:
    notes = node.strategy.notes if isinstance(node.strategy, TopicStrategy) else node.strategy
    yield from (str(node.peek("topic") or node.peek("skill") or ""), node.goal, notes)
    for action in node.actions:
        yield from (text for key in _SAID if isinstance(text := action.peek(key), str))


@lru_cache(maxsize=256)
def excerpt(documents: tuple[Document, ...], about: str, locale: str) -> str:
    """The documents as a prompt shows them: each below its path, every line behind a mark that says that it is quoted.
    ``about``: the topic in its author's words."""
    paragraphs = [each for number, document in enumerate(documents) for each in _paragraphs(number, document.text)]
    chosen = _nearest(paragraphs, _terms(about), room(locale))
    return "\n".join(_lines(documents, paragraphs, chosen))


def _paragraphs(number: int, text: str) -> Iterator[_Paragraph]:
    """A heading belongs to what follows it."""
    heading, held = "", ""
    for part in (part.strip() for part in _BLANK.split(text)):
        if not part:
            continue
        if _HEADING.match(part) and "\n" not in part:
            heading, held = part, f"{held}\n{part}".strip()
            continue
        for piece in _pieces(part):
            yield _Paragraph(number, heading, f"{held}\n{piece}".strip())
            held = ""
    if held:
        yield _Paragraph(number, heading, held)


def _pieces(part: str) -> Iterator[str]:
    """A paragraph that is long for one, at the ends of its lines and sentences."""
    held = ""
    for sentence in _SENTENCES.findall(part):
        for at in range(0, len(sentence), LONGEST):
            piece = sentence[at : at + LONGEST]
            if held and len(held) + len(piece) > LONGEST:
                yield held.strip()
                held = ""
            held += piece
    if held.strip():
        yield held.strip()


def _terms(text: str) -> frozenset[str]:
    """Words of three letters or more, and each two neighbouring Chinese characters."""
    plain = text.casefold()
    pairs = {run[at : at + 2] for run in _HAN.findall(plain) for at in range(len(run) - 1)}
    words = {word for word in _WORDS.findall(_HAN.sub(" ", plain)) if len(word) >= _SHORTEST}
    return frozenset(pairs | words)


def _nearest(paragraphs: Sequence[_Paragraph], wanted: frozenset[str], most: int) -> list[int]:
    """Which paragraphs are shown, in the order in which they stand: all that fit, the nearest first."""

    def shared(index: int) -> int:
        each = paragraphs[index]
        return len(wanted & _terms(f"{each.heading}\n{each.text}"))

    left, found = most, list[int]()
    whole = sum(map(len, paragraphs)) <= most
    order = range(len(paragraphs)) if whole else sorted(range(len(paragraphs)), key=lambda at: (-shared(at), at))
    for index in order:
        if len(paragraphs[index]) <= left:
            found.append(index)
            left -= len(paragraphs[index])
    return sorted(found)


def _lines(documents: Sequence[Document], paragraphs: Sequence[_Paragraph], chosen: Sequence[int]) -> Iterator[str]:
    """``…`` stands where something was left out."""
    before = -1
    for index in chosen:
        each = paragraphs[index]
        first = index == chosen[0] or paragraphs[before].document != each.document
        if first:
            yield f"{documents[each.document].path}:"
        elif index != before + 1:
            yield f"{QUOTED}{LEFT_OUT}"
        yield from (f"{QUOTED}{line.rstrip()}" for line in each.text.splitlines() if line.strip())
        before = index
