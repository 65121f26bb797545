"""Answers of a model that were recorded, and the prompts they answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.evals.extraction_round import Round
from heartrule.evals.labelled_files import BadFile
from heartrule.language.compiling.script import Script
from heartrule.llm.parsing import parse
from heartrule.llm.prompt import Prompt, render

NOTE = "recorded from a language model"


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """``prompt`` is the hash of what was answered, ``text`` the answer as it came."""

    id: str
    prompt: str
    text: str = field(repr=False)


def prompt_of(held: Round) -> Prompt | None:
    """What a session would ask; None where it asks nothing."""
    task = held.prompted()
    return render(task, held.script) if task is not None else None


def as_text(prompt: Prompt) -> str:
    """The messages as they are sent, each below its role."""
    return "\n\n".join(f"[{each.role}]\n{each.text}" for each in prompt.messages) + "\n"


def load_answers(path: Path) -> dict[str, RecordedAnswer]:
    """Answers by item id; of two the later. Raises ``BadFile``."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise BadFile("unread", path=path) from None
    return {each.id: each for each in _rows(text)}


def _rows(text: str) -> Iterator[RecordedAnswer]:
    for line, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            row: Any = json.loads(written)
        except (ValueError, RecursionError):
            raise BadFile("not_json", line) from None
        names = ("id", "prompt", "answer")
        if not isinstance(row, Mapping) or not all(isinstance(row.get(name), str) for name in names):
            raise BadFile("bad_answer", line)
        yield RecordedAnswer(row["id"], row["prompt"], row["answer"])


def dump_answers(path: Path, answers: Iterable[RecordedAnswer]) -> None:
    lines = [{"id": each.id, "prompt": each.prompt, "answer": each.text, "note": NOTE} for each in answers]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def prompts_of(rounds: Iterable[Round]) -> dict[str, Prompt | None]:
    """What each round would ask, by its item's id."""
    return {held.item.id: prompt_of(held) for held in rounds}


def rendered(prompts: Mapping[str, Prompt | None], folder: Path) -> int:
    """Write every prompt as a file of its own; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name, prompt in prompts.items():
        if prompt is not None:
            (folder / f"{name}.txt").write_text(as_text(prompt), encoding="utf-8")
            count += 1
    return count


@dataclass(frozen=True, slots=True)
class GatheredAnswers:
    """``missing``: the ids nobody has answered. ``changed``: those whose prompt is no longer the one that was given
    out; their answers are left out."""

    answers: list[RecordedAnswer]
    missing: list[str]
    changed: list[str]


def gathered(prompts: Mapping[str, Prompt | None], answers: Path, given_out: Path | None) -> GatheredAnswers:
    """The answers ``<id>.json`` of a folder, with the hashes of the prompts. ``given_out``: where these were rendered
    for whoever answered them."""
    found = GatheredAnswers([], [], [])
    for name, prompt in prompts.items():
        try:
            text = (answers / f"{name}.json").read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            text = ""
        if prompt is None or not text.strip():
            found.missing.append(name)
        elif given_out is not None and not _given_out(given_out / f"{name}.txt", prompt):
            found.changed.append(name)
        else:
            found.answers.append(RecordedAnswer(name, prompt.hash, text))
    return found


def _given_out(path: Path, prompt: Prompt) -> bool:
    try:
        return path.read_text(encoding="utf-8") == as_text(prompt)
    except (OSError, UnicodeDecodeError):
        return False


def answer_of(task: Task, script: Script, recorded: RecordedAnswer) -> Answer | None:
    """The recorded text read as a provider's is; None when it answers another prompt than ``task`` makes."""
    if render(task, script).hash != recorded.prompt:
        return None
    parsed = parse(recorded.text, task.schema, task.required)
    outcome: Any = "ok" if parsed.data is not None else "rejected"
    attempt = Attempt(1, outcome, parsed.problem, recorded.text, parsed.tried)
    return Answer(task.key, "failed" if parsed.data is None else "answered", parsed.data, (attempt,))
