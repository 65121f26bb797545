"""What the classifier learns from: authors' sentences with their kinds, and posts of a help forum."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
KINDS = ("direct", "oblique", "mixed", "near", "ordinary")
"""``direct``, ``oblique`` and ``mixed`` (others stand in the sentence) tell of danger that is the writer's own and
present; ``near`` sounds like it and is none; ``ordinary`` is what people bring to a session."""
POSTS, SAID, OWN, EVERYDAY, PROSE = "posts", "said", "own", "everyday", "prose"
"""What comes from elsewhere than an author: posts of a help forum; our own utterances on which rules were mended
(``bench/risk/said.jsonl``); our own sentences that tests hold the rules to; what visitors say in our own tests and
beginnings, danger left out; and sentences of our documents and scripts, so that what has nothing to do with it weighs
nothing."""

_OTHERS = re.compile(
    r"妈|爸|爹|娘|爷|奶|姥|外婆|外公|父|母|孩|娃|儿|女|闺|弟|妹|哥|姐|嫂|叔|婶|舅|姨|姑|老公|老婆|丈夫|妻|对象|"
    r"男友|女友|朋友|同学|室友|舍友|同事|老师|医生|大夫|护士|领导|老板|家里人|家人|他|她|你们|人家|别人|谁|"
    r"\b(?:he|she|they|him|her|his|their|them|mum|mom|mam|mammy|mother|dad|daddy|father|son|daughter|kids?|child|children|"
    r"brother|sister|wife|husband|partner|boyfriend|girlfriend|friends?|mates?|nan|gran|grandma|grandad|uncle|aunt|"
    r"parents?|family|boss|teacher|doctor|nurse|gp|therapist|someone|somebody|nobody|everyone|people)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence. ``danger``: the writer's own and present."""

    author: str
    lang: str
    kind: str
    danger: bool
    text: str = field(repr=False)

    @property
    def is_mixed(self) -> bool:
        """Whether somebody else stands in a sentence about one's own danger; told by words where the author did not
        say."""
        return self.danger and (self.kind == "mixed" or _OTHERS.search(self.text) is not None)


def authors(folder: Path = FOLDER / "authors") -> dict[str, list[Row]]:
    """Every author's rows, by the name of the file."""
    return {path.stem: [_row(path.stem, each) for each in _read(path)] for path in sorted(folder.glob("*.jsonl"))}


def strangers(path: Path) -> list[Row]:
    """Rows of a file of the same shape that nothing is trained on."""
    return [_row(path.stem, each) for each in _read(path)]


def posts(path: Path = FOLDER / "posts.jsonl") -> list[Row]:
    """Posts labelled as self-harm tell of danger; whatever else they are about, not of this one."""
    return [Row(POSTS, each["lang"], each["sub"][0], each["risk"] == "self_harm", each["text"]) for each in _read(path)]


def said(path: Path = FOLDER.parent / "risk" / "said.jsonl") -> list[Row]:
    """What is no danger of the writer's own counts as harmless: somebody else's, long past, a question."""
    return [Row(SAID, each["lang"], each["sub"][0], each["risk"] == "self_harm", each["text"]) for each in _read(path)]


def own(path: Path = FOLDER / "own.jsonl") -> list[Row]:
    """With those on threats, violence and emergencies, which tell of other danger than this one."""
    return [Row(OWN, each["lang"], each["kind"], bool(each["y"]), each["text"]) for each in _read(path)]


def everyday(path: Path = FOLDER / "everyday.jsonl") -> list[Row]:
    return [Row(EVERYDAY, each["lang"], EVERYDAY, False, each["text"]) for each in _read(path)]


def prose(path: Path = FOLDER / "prose.jsonl") -> list[Row]:
    return [Row(PROSE, each["lang"], PROSE, False, each["text"]) for each in _read(path)]


def _row(author: str, told: dict[str, Any]) -> Row:
    return Row(author, told["lang"], told["kind"], bool(told["y"]), told["text"])


def _read(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)
