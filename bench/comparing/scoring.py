"""What readers chose, held against the key; and what the key alone tells."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.comparing.unchanged import HARMLESS
from bench.conversations.intervals import wilson

Entry = Mapping[str, Any]


def scored(answers: Mapping[str, Entry], key: Entry) -> str:
    """In Markdown. Raises ``ValueError`` where an answer is to no item."""
    items = key["items"]
    strange = sorted(answers.keys() - {each["id"] for each in items})
    if strange:
        raise ValueError(f"no such items: {', '.join(strange)}")
    return "\n".join([*_unsaid(key), *_shares(items, answers), *_wrong(items, answers), *_notes(items, answers)])


def read_answers(folder: Path) -> dict[str, Entry]:
    """All ``answers-*.jsonl``. Raises ``ValueError`` where one item is answered twice otherwise."""
    found: dict[str, Entry] = {}
    for file in sorted(folder.glob("answers-*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.strip():
                each = json.loads(line)
                if found.get(each["id"], each)["choice"] != each["choice"]:
                    raise ValueError(f"{each['id']} is answered twice")
                found[each["id"]] = each
    return found


def faults(key: Entry) -> list[str]:
    """What the comparer left unsaid, or said alike of two edits."""
    found = []
    for each in key["items"]:
        if each["statements"] < max(1, each["deeds"]):
            found.append(f"{each['id']} ({each['kind']}): {each['statements']} statements of {each['deeds']} edits")
        if each["same_words"]:
            hows = ", ".join(each["hows"][letter] for letter in each["same_words"])
            found.append(f"{each['id']} ({each['kind']}): the same words of another edit ({hows})")
    for each in key["unchanged"]:
        if set(each["said"]) - HARMLESS:
            found.append(f"{each['file']}, {each['how']}: said {', '.join(each['said'])} though the data are equal")
    return found


def _unsaid(key: Entry) -> Iterator[str]:
    found = faults(key)
    yield "## Checked in code\n"
    yield f"{len(key['items'])} edits and {len(key['unchanged'])} texts that say the same: {len(found)} faults."
    yield from (f"- {each}" for each in found)


def _shares(items: Sequence[Entry], answers: Mapping[str, Entry]) -> Iterator[str]:
    yield "\n## Right\n"
    yield "| | right | of | 95 % (Wilson) |\n|---|---|---|---|"
    yield _row("all", items, answers)
    for name in ("language", "kind"):
        for value in dict.fromkeys(sorted(str(each[name]) for each in items)):
            yield _row(value, [each for each in items if each[name] == value], answers)


def _row(name: str, items: Sequence[Entry], answers: Mapping[str, Entry]) -> str:
    hits = sum(_is_right(each, answers) for each in items)
    low, high = wilson(hits, len(items))
    return f"| {name} | {hits} | {len(items)} | {low:.1%}–{high:.1%} |"


def _is_right(item: Entry, answers: Mapping[str, Entry]) -> bool:
    return bool(item["id"] in answers and answers[item["id"]]["choice"] == item["answer"])


def _wrong(items: Sequence[Entry], answers: Mapping[str, Entry]) -> Iterator[str]:
    yield from _listed("Wrong, unclear or not answered", items, lambda each: not _is_right(each, answers), answers)


def _notes(items: Sequence[Entry], answers: Mapping[str, Entry]) -> Iterator[str]:
    def noted(each: Entry) -> bool:
        return _is_right(each, answers) and bool(answers[each["id"]].get("note"))

    yield from _listed("Right, with a note", items, noted, answers)


def _listed(
    title: str, items: Sequence[Entry], which: Callable[[Entry], bool], answers: Mapping[str, Entry]
) -> Iterator[str]:
    found = [each for each in items if which(each)]
    yield f"\n## {title}: {len(found)}\n"
    for each in found:
        given = answers.get(each["id"], {})
        choice = given.get("choice", "–")
        how = f" ({each['hows'][choice]})" if choice in each["hows"] else ""
        yield f"- {each['id']} ({each['kind']}, {each['language']}): {choice}{how}, key {each['answer']}"
        if given.get("note"):
            yield f"  - {given['note']}"
        yield from (f"  - > {file}: {sentence}" for file, sentence in each["words"])
