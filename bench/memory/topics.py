"""What a model makes of topics that are over: the prompts, its recorded answers, and what becomes of them.

    python -m bench.memory.topics --prompts FOLDER
    python -m bench.memory.topics --record FOLDER
    python -m bench.memory.topics --gold FOLDER
    python -m bench.memory.topics --verdicts FOLDER
    python -m bench.memory.topics

The topics are sessions of generated histories. Gold is what the generator has put into them, by message; whether a
statement is invented was judged by a reader, statement by statement.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.memory.generate import UNSEEN, histories

from heartrule.engine.session.tasks import Line, Task
from heartrule.evals.extraction_answers import RecordedAnswer, as_text
from heartrule.evals.extraction_answers import dump_answers as recorded_to
from heartrule.evals.extraction_answers import load_answers as recorded
from heartrule.evals.memories import own
from heartrule.llm.parsing import parse
from heartrule.llm.prompt import Prompt, render
from heartrule.memory import grounding
from heartrule.memory.session_material import SaidMessage, Stretch
from heartrule.sessions.person_memory import topic_task

ANSWERS, CHECKED = (Path(__file__).with_name(name) for name in ("topic_answers.jsonl", "topic_judged.jsonl"))
SEED, PERSONS, SESSIONS = 26, 8, 5
"""Of each person the sessions in which the most is told."""


@dataclass(frozen=True, slots=True)
class Topic:
    """``gold``: numbers of the messages that tell something."""

    id: str
    said: Sequence[SaidMessage] = field(repr=False)
    gold: frozenset[int]
    task: Task = field(repr=False)

    @property
    def prompt(self) -> Prompt:
        return render(self.task)


def histories_asked() -> list[dict[str, Any]]:
    """Those that others have read: as ``generate.as_text`` writes them."""
    return list(histories(PERSONS, seed=SEED, facts=UNSEEN, both=True))


def topics() -> Iterator[Topic]:
    for data in histories_asked():
        history = own(data)
        telling = {key for each in data["questions"] for key in (*each["evidence"], *each.get("older", ()))}
        gold = {
            told.session: frozenset(
                each.number for each in told.said if history.ids[told.session, each.number] in telling
            )
            for told in history.told
        }
        chosen = sorted(history.told, key=lambda told: -len(gold[told.session]))[:SESSIONS]
        for told in sorted(chosen, key=lambda told: told.began):
            name = "谈话" if told.locale.startswith("zh") else "talk"
            stretch = Stretch(name, "talk", 1, len(told.said), over=True)
            lines = [Line("ai" if each.reply else "person", each.text) for each in told.said]
            task = topic_task(told.locale, None, stretch, lines)
            yield Topic(told.session.replace(".", "-s"), told.said, gold[told.session], task)


def statements(topic: Topic, answer: str) -> dict[tuple[str, int], dict[str, Any]]:
    """What is remembered of an answer, by part and place in it."""
    data = parse(answer, topic.prompt.schema).data or {}
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for part in grounding.PARTS:
        proved = [(at, grounding.proved({part: [each]}, topic.said)) for at, each in enumerate(data.get(part) or ())]
        kept = [(at, each[part][0]) for at, each in proved if each]
        found |= {(part, at): each for at, each in kept[: grounding.MOST]}
    return found


def write_prompts(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for each in topics():
        (folder / f"{each.id}.txt").write_text(as_text(each.prompt), encoding="utf-8")
        count += 1
    return count


def record(folder: Path) -> list[str]:
    """Put the answers of a folder, one ``<id>.json`` each, into the file; which are missing."""
    held = list(topics())
    files = {each.id: folder / f"{each.id}.json" for each in held}
    rows = [
        RecordedAnswer(each.id, each.prompt.hash, files[each.id].read_text("utf-8"))
        for each in held
        if files[each.id].exists()
    ]
    recorded_to(ANSWERS, rows)
    return [name for name, file in files.items() if not file.exists()]


def write_gold(folder: Path) -> None:
    """For who judges the answers: what each topic has told, which who answers must not see."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in topics():
        lines = [f"{one.number}\t{one.text}" for one in each.said if one.number in each.gold]
        (folder / f"{each.id}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def take_verdicts(folder: Path) -> None:
    """Put the reader's verdicts, one ``<id>.json`` each, into the file."""
    found = [
        {"id": each.id, **json.loads(file.read_text("utf-8"))}
        for each in topics()
        if (file := folder / f"{each.id}.json").exists()
    ]
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found)
    CHECKED.write_text(text, encoding="utf-8")


@dataclass(slots=True)
class Sums:
    """``kept``: gold messages of which a statement tells what they say, as the reader judged; ``quoted``: of which one
    quotes the words."""

    topics: int = 0
    gold: int = 0
    kept: int = 0
    quoted: int = 0
    statements: int = 0
    dropped: int = 0
    invented: int = 0
    stale: int = 0


def judged(path: Path = CHECKED) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return {each["id"]: each for each in rows}


def figures() -> dict[str, Sums]:
    """By language. An answer to another prompt than today's is stale and counts as none."""
    answers, verdicts = (recorded(ANSWERS), judged()) if ANSWERS.exists() and CHECKED.exists() else ({}, {})
    found: dict[str, Sums] = {"zh": Sums(), "en": Sums()}
    for each in topics():
        sums, answer, verdict = found[each.task.context.locale[:2]], answers.get(each.id), verdicts.get(each.id)
        if answer is None or verdict is None or answer.prompt != each.prompt.hash:
            sums.stale += 1
            continue
        made = statements(each, answer.text)
        invented = {(one["part"], one["place"]) for one in verdict["invented"]}
        sums.topics += 1
        sums.gold += len(each.gold)
        sums.kept += len(each.gold - {one["number"] for one in verdict["lost"]})
        sums.quoted += len(each.gold & {one["message"] for one in made.values()})
        sums.statements += len(made)
        sums.dropped += _count(parse(answer.text, each.prompt.schema).data or {}) - len(made)
        sums.invented += len(invented & set(made))
    return found


def _count(data: Mapping[str, Any]) -> int:
    return sum(len(data.get(part) or ()) for part in grounding.PARTS)


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m bench.memory.topics")
    options.add_argument("--prompts", type=Path, help="write the prompts here, one file each")
    options.add_argument("--record", type=Path, help="take the answers from here, <id>.json each")
    options.add_argument("--gold", type=Path, help="write here what each topic tells, for who judges the answers")
    options.add_argument("--verdicts", type=Path, help="take a reader's verdicts from here, <id>.json each")
    given: Any = options.parse_args(arguments)
    if given.prompts is not None:
        print(write_prompts(given.prompts), "prompts")
    elif given.record is not None:
        print("missing:", record(given.record))
    elif given.gold is not None:
        write_gold(given.gold)
    elif given.verdicts is not None:
        take_verdicts(given.verdicts)
    else:
        for name, each in figures().items():
            print(name, asdict(each))


if __name__ == "__main__":
    main(sys.argv[1:])
