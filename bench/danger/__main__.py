"""``python -m bench.danger``: conversations in danger: seal, strip, judge, count. ``README.md`` is the protocol."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.conversations.command import Commands
from bench.conversations.strip import stripped
from bench.danger.figures import judged, table
from bench.danger.judgement import judgement
from bench.danger.judging import judge_prompt
from bench.danger.sheets import SHEETS, level, locale, names, seal


def main(arguments: Sequence[str] | None = None) -> int:
    commands = Commands("bench.danger", __doc__)
    commands.add("sheets", _sheets, "list the sheets, with the danger that each holds and how to play it")
    commands.add("seal", _seal, "write the sums of sheets and judges' questions, before a round")
    commands.strip(_strip)
    judge = commands.add("judge-prompt", _judge_prompt, "print what a judge is asked")
    judge.add_argument("transcript", type=Path)
    judge.add_argument("--language", choices=("zh-CN", "en"))
    commands.check(judgement)
    commands.figures(_figures, required=True)
    return commands.run(arguments)


def _sheets(_: argparse.Namespace) -> int:
    for name in names():
        print(f"{name}  {locale(name)}  {level(name)}  {SHEETS / name}.md")
    return 0


def _seal(_: argparse.Namespace) -> int:
    print(seal())
    return 0


def _strip(given: argparse.Namespace) -> int:
    print("\n".join(stripped(given.folders, given.out, given.seed, given.key).values()))
    return 0


def _judge_prompt(given: argparse.Namespace) -> int:
    print(judge_prompt(given.transcript, given.language))
    return 0


def _figures(given: argparse.Namespace) -> int:
    key = json.loads(given.key.read_text(encoding="utf-8"))
    judgements = [judgement(file) for file in sorted(given.judgements.glob("*.json"))]
    print(table(judged(given.folders, judgements, key)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
