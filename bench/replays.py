"""Whole sessions written down, and held again by another version of the engine: what differs, and where first.

    python -m bench.replays record DIR [--sessions 336] [--parallel 2]
    python -m bench.replays compare DIR [--parallel 2] [--names old=new,old=new]

Every script we ship, each with every simulated visitor, with and without a model; who answers as the model is a
stand-in that knows the task and no prompt. Visitors also do what people do to a conversation: answer a question that
has gone already, send an answer in pieces, take something back, press a button late, ask what is meant. Each session
is one file of canonical JSON, turn by turn: what came, what was said, what happened, what is known now, what a model
was asked (as a digest: that it differs is seen, not how). ``compare`` holds the same sessions again, prints for those
that differ the first difference, and exits 1 where any does. With ``--names`` the recorded sessions' keys (and values
that are such a name and nothing else) are renamed before that, so that a renamed field of an event is no difference;
``key:old=new`` renames a value under that key alone, where a script has a variable of the old name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice, product, repeat
from pathlib import Path
from random import Random
from typing import Any

from bench.redo import Mind

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.io import FormAnswers, Input, Turn, Who, Words
from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library, library_root
from heartrule.llm.provider import PromptMessage, Request
from heartrule.script_tests.conversation import Conversation
from heartrule.script_tests.simulation import persona
from heartrule.script_tests.simulation.open_question import asked, questions_of
from heartrule.script_tests.simulation.visitor import Move, RuledVisitor
from heartrule.testing.counsellor import counsel
from heartrule.testing.talk import shipped

SESSIONS = 336
TURNS = 120
"""Moves after which a session is left."""
HEARD = 0.15
FAILS = 0.04
"""How often the stand-in gives no answer."""
ALARMED = 0.02
"""How often it finds danger in ordinary words."""
LATE, BURST, ODD, TAKEN_OVER = 0.08, 0.05, 0.08, 0.004
"""How often words come late, in two pieces, beside what was asked, and a counsellor takes over for a while."""
ODD_WORDS = {
    "zh": (
        "不对，是31", "刚才说错了，应该是7", "说错了", "不是，我是说周三", "等一下", "我回来了", "你问得太多了",
        "你说的是什么意思？", "为什么问这个？", "再说一遍", "跳过", "不想说", "停", "今天就到这儿吧", "我想跟真人说",
        "嗯", "哦", "好", "是", "不是", "没有", "12", "三点半", "昨天", "小林", "第二个", "都可以", "刚才说过了",
        "有时候觉得活着没意思", "我不想活了", "我朋友说他不想活了", "你是机器人吗", "我妈妈以前也这样，睡不好",
        "？？？", "没有，睡得还行", "8分吧，不对，6分", "我喘不过气", "换个话题吧", "你刚才问的那个，是上个月开始的",
    ),
    "en": (
        "no, it's 31", "I got that wrong, it should be 7", "I misspoke", "no, I mean Wednesday", "wait a moment",
        "I'm back", "you ask too many questions", "what do you mean?", "why do you ask?", "say that again", "skip",
        "I'd rather not say", "stop", "let's stop here for today", "I want to talk to a real person", "mm", "oh", "ok",
        "yes", "no", "12", "half past three", "yesterday", "May", "the second one", "either is fine", "I told you that",
        "sometimes there's no point in living", "I want to kill myself", "my friend says she wants to die",
        "are you a bot?", "my mother was like this too", "???", "no, I sleep all right", "an 8, no, a 6",
        "I can't breathe", "let's talk about something else", "what you asked before: it began last month",
    ),
}  # fmt: skip
BEGINS = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
WHO = Who("c1", "林老师")
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """One session, wholly: everything left to chance follows from these."""

    script: str
    persona: str
    model: bool
    number: int

    @property
    def name(self) -> str:
        mode = "model" if self.model else "script"
        return f"{self.script.replace('/', '.')}-{self.persona}-{mode}-{self.number:03}"


def jobs(sessions: int) -> list[Job]:
    """The scripts and visitors take turns, so that any number of sessions meets as many of them as it can."""
    kinds = list(product(scripts(), persona.SHIPPED, (False, True)))
    return [Job(*kinds[at % len(kinds)], at // len(kinds) + 1) for at in range(sessions)]


def scripts() -> list[str]:
    return sorted(each.id for each in Library([library_root()], field_models()).scripts())


class StandIn(Mind):
    """Answers by the task alone, so that the wording of prompts changes nothing."""

    def __init__(self, script: Script, seed: str) -> None:
        super().__init__(script, HEARD, 0)
        self._random = Random(seed)

    def __call__(self, task: Task) -> Mapping[str, Any]:
        said = [line.text for line in task.context.history if line.speaker == "person"]
        words = said[-1] if said else ""
        told = PromptMessage("user", f"来访者：{words}\n#{task.template}{len(said)}")
        answer = counsel(Request((told,), task.schema, task.temperature, None, 1.0))
        if task.template == "perceive" and "values" in task.schema["properties"]:
            answer["values"] = self._values(task)
        if task.template == "risk" and words and self._random.random() < ALARMED:
            answer["verdicts"] = [{"id": 1, "verdict": "yes", "confidence": 0.9, "evidence": words[:20]}]
        return answer

    def answers(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: self._answer(task) for task in tasks}

    def _answer(self, task: Task) -> Answer:
        failed = self._random.random() < FAILS
        return Answer(task.key, "failed") if failed else Answer(task.key, "answered", self(task))


class Held(Conversation):
    """A session that writes its turns down. ``seen``: the last message before the AI's latest words."""

    def __init__(self, script: Script, mind: StandIn | None) -> None:
        super().__init__(script, mind.answers if mind is not None else None, BEGINS)
        self.turns: list[Record] = []
        self._tasks: list[Task] = []
        self._known: Record = {}
        self.seen = 0

    def answered(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        self._tasks += tasks
        return super().answered(tasks)

    def move(self, given: Input) -> Turn:
        if given.kind not in ("advised", "noticed"):
            self.seen = self.state.messages
        turn = super().move(given)
        self.turns.append(
            {
                "given": plain(given),
                "asked": [{"template": task.template, "digest": digest(plain(task))} for task in self._tasks],
                "messages": plain(turn.messages),
                "events": [event.model_dump(mode="json") for event in turn.events],
                "variables": self._written(known(turn)),
                "request": plain(turn.request),
                "status": turn.status,
                "exit": dict(turn.exit),
                "wake_at": plain(turn.wake_at),
            }
        )
        self._tasks = []
        return turn

    def _written(self, now: Record) -> Record:
        """What is otherwise than before the turn; None where nothing is known any more."""
        before, self._known = self._known, now
        return {name: now.get(name) for name in sorted({*before, *now}) if before.get(name) != now.get(name)}


def known(turn: Turn) -> Record:
    cells = turn.variables.cells.items()
    return {"/".join((*key, name)): plain(value) for key, cell in cells for name, value in cell.items()}


def plain(value: Any) -> Any:
    return json.loads(json.dumps(_fields(value), ensure_ascii=False, default=_fields))


def _fields(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if hasattr(value, "__dataclass_fields__"):
        return asdict(value)
    return value if isinstance(value, str | int | float | list | tuple | dict | None) else str(value)


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()[:16]


def hold(job: Job) -> list[Record]:
    """The turns of one session."""
    script, who = shipped(job.script), persona.shipped(job.persona)
    random = Random(f"{job.name}/what else they do")
    visitor = RuledVisitor(who, persona.spoken(script.locale), Random(job.name), questions_of(script))
    held = Held(script, StandIn(script, job.name) if job.model else None)
    held.move(Input("start"))
    held.settle()
    while not held.state.ended and len(held.turns) < TURNS:
        said = [message.text for message in held.history[-4:] if message.sender == "ai"]
        question = asked(script, held.state, held.turn.request, said, held.now)
        if question.kind == "none" and held.turn.wake_at is None:
            break
        move = visitor.move(question, said)
        if move.kind == "gone":
            break
        _make(held, move, random, ODD_WORDS[visitor.language])
        held.settle()
    return held.turns


def _make(held: Held, move: Move, random: Random, odd: Sequence[str]) -> None:
    if move.kind == "wait":
        held.wait(timedelta(seconds=move.seconds))
        return
    held.now += timedelta(seconds=move.seconds)
    if random.random() < TAKEN_OVER:
        for given in (Input("takeover", who=WHO), Input("message", (Words(random.choice(odd)),)), _hand_back(random)):
            held.move(given)
    words, drawn = [move.words], random.random()
    if drawn < ODD:
        words = [random.choice(odd)]
    elif drawn < ODD + BURST:
        words = [move.words if move.kind == "message" else random.choice(odd), random.choice(odd)]
    seen = held.seen if random.random() < LATE else held.state.messages
    if move.kind == "message" or drawn < ODD + BURST:
        held.move(Input("message", tuple(Words(text, seen) for text in words), after=seen))
    elif move.kind == "choice":
        held.move(Input("choice", choice=move.words, after=seen))
    elif move.kind == "form" and move.filled is not None:
        kind: Any = f"form_{move.filled.how}"
        held.move(Input(kind, form=FormAnswers(move.filled.key, move.filled.values), after=seen))
    else:
        held.move(Input("end"))


def _hand_back(random: Random) -> Input:
    return Input("hand_back", who=Who(WHO.id, WHO.name, closed=random.choice(("", "closed"))))


def differences(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two records differ, first things first."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            yield from differences(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        for index in range(max(len(one), len(other))):
            here, there = (each[index] if index < len(each) else None for each in (one, other))
            yield from differences(here, there, f"{path}[{index}]")
    elif one != other:
        yield path, one, other


def first_difference(before: Sequence[Record], now: Sequence[Record]) -> str:
    """In which turn, upon which words, and what; nothing where all is the same."""
    for number in range(max(len(before), len(now))):
        was, got = (each[number] if number < len(each) else {} for each in (before, now))
        found = next(differences(was, got, f"turn {number}"), None)
        if found is not None:
            given = was.get("given") or got.get("given") or {}
            said = given.get("choice") or " / ".join(each["text"] for each in given.get("words", ()))
            return f"{found[0]} upon {given.get('kind')} {said!r}:\n    was {found[1]!r}\n    now {found[2]!r}"
    return ""


def _written(job: Job, turns: Sequence[Record]) -> bytes:
    return b"\n".join(canonical(each) for each in turns) + b"\n"


def _record(job: Job, folder: Path) -> tuple[str, str, int]:
    turns = hold(job)
    written = _written(job, turns)
    (folder / f"{job.name}.jsonl").write_bytes(written)
    return job.name, hashlib.sha256(written).hexdigest(), len(turns)


def names_of(written: str) -> dict[str, str]:
    """``old=new,old=new``."""
    pairs = [pair.partition("=") for pair in written.split(",")]
    if not all(old and new for old, _, new in pairs):
        raise argparse.ArgumentTypeError(f"not old=new,old=new: {written}")
    return {old: new for old, _, new in pairs}


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        under = {
            key: names.get(f"{key}:{each}", each) if isinstance(each, str) else each for key, each in value.items()
        }
        return {names.get(key, key): renamed(each, names) for key, each in under.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def _compare(job: Job, folder: Path, expected: str, names: Mapping[str, str]) -> tuple[str, str]:
    turns = hold(job)
    if hashlib.sha256(_written(job, turns)).hexdigest() == expected:
        return job.name, ""
    lines = (folder / f"{job.name}.jsonl").read_text(encoding="utf-8").splitlines()
    before = [renamed(json.loads(line), names) for line in lines]
    found = first_difference(before, [json.loads(canonical(each)) for each in turns])
    return job.name, found or ("" if names else "the record was changed by hand")


def record(folder: Path, sessions: int, processes: int) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = jobs(sessions)
    with ProcessPoolExecutor(processes) as pool:
        rows = list(pool.map(_record, wanted, [folder] * len(wanted), chunksize=4))
    manifest = {"sessions": sessions, "digests": {name: hashed for name, hashed, _ in rows}}
    (folder / "manifest.json").write_bytes(canonical(manifest))
    print(f"{len(rows)} sessions, {sum(turns for _, _, turns in rows)} turns, in {folder}")
    return 0


def compare(folder: Path, processes: int, shown: int, names: Mapping[str, str] | None = None) -> int:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    digests: dict[str, str] = manifest["digests"]
    wanted = [job for job in jobs(manifest["sessions"]) if job.name in digests]
    with ProcessPoolExecutor(processes) as pool:
        expected = [digests[job.name] for job in wanted]
        rows = list(pool.map(partial(_compare, names=names or {}), wanted, repeat(folder), expected, chunksize=4))
    differ = [(name, what) for name, what in rows if what]
    for name, what in islice(differ, shown):
        print(f"{name}\n  {what}")
    modes = Counter(name.rsplit("-", 2)[1] for name, _ in differ)
    print(f"{len(differ)} of {len(rows)} sessions differ: {modes['script']} without a model, {modes['model']} with one")
    return 1 if differ else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("record", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--parallel", type=int, default=2)
    parser.add_argument("--shown", type=int, default=40, help="differences that are printed")
    parser.add_argument("--names", type=names_of, default={}, metavar="OLD=NEW,…", help="renamed since the record")
    given = parser.parse_args()
    if given.command == "record":
        return record(given.folder, given.sessions, given.parallel)
    return compare(given.folder, given.parallel, given.shown, given.names)


if __name__ == "__main__":
    sys.exit(main())
