"""How often a reply is made again, over the scripts we ship: ``python -m bench.redo [--seeds 40]``.

Whole sessions on the bare engine, a visitor by seed and a mind by seed. The minds differ in how much they hear in
passing (the share of the things asked about that is told in an answer): nothing, now and then, more than people tell.
None of them is a model: the figures say what the scripts and the rules make of what is heard, not what a model hears.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.llm.prompt import render
from heartrule.llm.provider import Request
from heartrule.testing.counsellor import counsel
from heartrule.testing.talk import Talk, shipped
from heartrule.testing.visitor import Visitor

INTAKE = Path(__file__).parent / "intake" / "project" / "intake.yaml"
SHIPPED = ("cbt/abc_intro", "cbt/abc_intro_en", "cbt/first_assessment")
MINDS = {"nothing": 0.0, "now and then": 0.05, "a great deal": 0.3}
STAYS = ("safe", "开始")
"""What is picked wherever it can be, so that sessions are held and not put off."""
TURNS = 200
_SHAPE = re.compile(r"[（(]([^（()）]*)[）)]\s*$")


class Mind:
    """Answers as the counsellor of load tests does, hears in passing, and opens what follows when it ends an action;
    ``heard``: the share of things asked about that it finds in an answer."""

    def __init__(self, script: Script, heard: float, seed: int) -> None:
        self._script, self._heard, self._random = script, heard, Random(f"{seed}:{heard}")

    def __call__(self, task: Task) -> Mapping[str, Any]:
        prompt = render(task, self._script)
        answer = counsel(Request(prompt.messages, prompt.schema, task.temperature, None, 1.0))
        if task.template in ("perceive", "listen"):
            answer |= {"values": self._values(task)} if "values" in task.schema["properties"] else {}
        elif task.values.get("following") and "content" in answer:
            answer["content"] = f"嗯。{task.values['following'][:20]}？"
        return answer

    def _values(self, task: Task) -> list[dict[str, Any]]:
        said = [line.text for line in task.context.history if line.speaker == "person"]
        words = said[-1] if said else ""
        lines = "\n".join(task.values[part] for part in ("wanted", "passive", "later"))
        shapes = {line[2:].partition("：")[0].partition(": ")[0]: line for line in lines.splitlines()}
        names = task.schema["properties"]["values"]["items"]["properties"]["name"]["enum"] if words else ()
        return [
            {"name": name, "value": self._value(shapes.get(name, ""), words), "evidence": words[:20]}
            for name in names
            if self._random.random() < self._heard
        ]

    def _value(self, line: str, words: str) -> Any:
        """Of the shape that its line gives; a yes-or-no is a no, so that nothing alarming is invented."""
        found = _SHAPE.search(line)
        shape = found[1] if found else ""
        if "true|false" in shape:
            return False
        if limits := re.search(r"(\d+)–(\d+)", shape):
            return self._random.randint(int(limits[1]), int(limits[2]))
        if "|" in shape:
            return self._random.choice(shape.split("|"))
        return words[:30]


def walked(name: str, heard: float, seed: int) -> Counter[str]:
    """The counts of one session."""
    script = shipped(name)
    talk, visitor = Talk(script, Mind(script, heard, seed)), Visitor(script, seed=seed, prefer=STAYS)
    turns = 0
    while not talk.ended and turns < TURNS:
        how, words = visitor.reply(talk.state, talk.request)
        talk.choose(words) if how == "choice" else talk.say(words)
        turns += 1
    found = Counter(sessions=1, turns=turns, ended=int(talk.ended))
    found["following"] = sum(bool(task.values.get("following")) for task in talk.asked)
    for event in talk.happened("replied"):
        found["speculative"] += event.speculative
        found["redone"] += event.speculative and event.redone
        for why in event.why:
            found[f"why {why}"] += 1
    for event in talk.happened("fused"):
        found["fused"] += 1
        found["unfused"] += not event.kept
    for event in talk.happened("perceived"):
        found.update(calls=event.calls, items=event.asked, heard=event.found)
    return found


def share(part: int, whole: int) -> str:
    return f"{part / whole:6.1%}" if whole else "     –"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=40)
    seeds = parser.parse_args().seeds
    print(f"{seeds} sessions of each script with each mind\n")
    print(f"{'script':20} hears          turns  items/call  heard  speculative  redone         could open", end="")
    print("   fused  not kept")
    for heard, rate in MINDS.items():
        everything: Counter[str] = Counter()
        for name in SHIPPED:
            found = sum((walked(name, rate, seed) for seed in range(seeds)), Counter())
            everything += found
            line(name, heard, found)
        line("all we ship", heard, everything)
        line("bench/intake", heard, sum((walked(str(INTAKE), rate, seed) for seed in range(seeds)), Counter()))
        causes = [(n, name[4:]) for name, n in everything.items() if name.startswith("why ")]
        print(
            "  made again because of: " + (", ".join(f"{name} {n}" for n, name in sorted(causes)[::-1]) or "–") + "\n"
        )


def line(name: str, heard: str, found: Counter[str]) -> None:
    per_call = found["items"] / found["calls"] if found["calls"] else 0.0
    print(
        f"{name:20} {heard:13} {found['turns']:6} {per_call:11.1f} {found['heard']:6} {found['speculative']:12}"
        f" {found['redone']:5} {share(found['redone'], found['speculative'])}"
        f" {found['following']:13} {found['fused']:7} {found['unfused']:5} {share(found['unfused'], found['fused'])}"
    )


if __name__ == "__main__":
    main()
