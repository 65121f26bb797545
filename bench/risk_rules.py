"""How well, and how fast, the risk rules hear: recall and precision by kind on a labelled file.

    python bench/risk_rules.py labelled.jsonl [--part 1/4] [--show KIND]

Each line of the file is an object with ``text``, ``risk`` (``self_harm`` or another word; ``none`` for nothing) and,
where there is one, ``sub``, a list of finer kinds. ``--part 1/4`` measures every fourth message only, beginning with
the second, so that rules can be tuned on some parts and reported on the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml

from heartrule.engine.risk_rules import RiskMatcher
from heartrule.language.nodes import RiskRules

RULES = Path(__file__).parents[1] / "library" / "safety" / "suicide.yaml"


def rules(path: Path) -> RiskRules:
    script = yaml.safe_load(path.read_text(encoding="utf-8"))
    return RiskRules.model_validate(script["awareness"][0]["condition"]["rules"])


def messages(path: Path, part: str) -> list[dict[str, Any]]:
    first, of = (int(number) for number in part.split("/"))
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()][first::of]


def main(arguments: list[str]) -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("file", type=Path)
    options.add_argument("--rules", type=Path, default=RULES)
    options.add_argument("--part", default="0/1", help="first/step")
    options.add_argument("--show", help="print the messages of this kind that got another level than wanted")
    given = options.parse_args(arguments)

    matcher = RiskMatcher(rules(given.rules))
    read = messages(given.file, given.part)
    matcher.match("")
    begun = time.perf_counter()
    found = [matcher.match(message["text"]) for message in read]
    seconds = time.perf_counter() - begun

    levels: dict[str, list[str | None]] = defaultdict(list)
    for message, risk in zip(read, found, strict=True):
        for kind in {message["risk"], *(f"{message['risk']}/{sub}" for sub in message.get("sub", ()))}:
            levels[kind].append(risk.level)
        wanted = {"none": (None,), "self_harm": ("explicit",)}.get(message["risk"], ("watch",))
        if given.show in (message["risk"], *message.get("sub", ())) and risk.level not in wanted:
            print(f"{risk.level or '-':9}{risk.reason}[{risk.evidence}]  {message['text'][:150]!r}")
    report(levels, read, [risk.level for risk in found])
    print(f"{len(read)} messages, {seconds / max(1, len(read)) * 1e6:.0f} microseconds each")


def report(levels: dict[str, list[str | None]], read: list[dict[str, Any]], found: list[str | None]) -> None:
    print(f"{'kind':40}{'n':>6}{'explicit':>10}{'any':>8}")
    for kind, each in sorted(levels.items()):
        explicit = sum(level == "explicit" for level in each) / len(each)
        either = sum(level is not None for level in each) / len(each)
        print(f"{kind:40}{len(each):6}{explicit:10.1%}{either:8.1%}")
    for name, hit in (("explicit", {"explicit"}), ("any level", {"explicit", "watch"})):
        raised = [message["risk"] for message, level in zip(read, found, strict=True) if level in hit]
        if raised:
            share = sum(risk == "self_harm" for risk in raised) / len(raised)
            print(f"precision for self_harm, {name}: {share:.1%} of {len(raised)}")


if __name__ == "__main__":
    main(sys.argv[1:])
