"""``python -m bench.danger``: conversations in danger: seal, strip, judge, count. ``README.md`` is the protocol."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.conversations.strip import stripped
from bench.danger.figures import judged, table
from bench.danger.judgement import judgement
from bench.danger.judging import judge_prompt
from bench.danger.sheets import SHEETS, level, locale, names, seal

BAD = 1


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        found: int = given.run(given)
    except (FileNotFoundError, ValueError) as error:
        print(error, file=sys.stderr)
        return BAD
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.danger", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: object, about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about)
        made.set_defaults(run=run)
        return made

    command("sheets", _sheets, "list the sheets, with the danger that each holds and how to play it")
    command("seal", _seal, "write the sums of sheets and judges' questions, before a round")
    strip = command("strip", _strip, "write transcripts that do not tell whose they are")
    strip.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    strip.add_argument("--out", type=Path, required=True)
    strip.add_argument("--seed", required=True, help="names the transcripts; whoever judges does not know it")
    strip.add_argument("--key", type=Path, required=True, help="the file that says what the names stand for")
    judge = command("judge-prompt", _judge_prompt, "print what a judge is asked")
    judge.add_argument("transcript", type=Path)
    judge.add_argument("--language", choices=("zh-CN", "en"))
    check = command("check", _check, "say whether judges' answers can be read")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    figures = command("figures", _figures, "print the table")
    figures.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    figures.add_argument("--judgements", type=Path, required=True, help="the folder of the judges' answers")
    figures.add_argument("--key", type=Path, required=True)
    return parser


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


def _check(given: argparse.Namespace) -> int:
    bad = 0
    for file in given.files:
        try:
            judgement(file)
        except ValueError as error:
            bad = BAD
            print(f"{file}: {error}")
        else:
            print(f"{file}: good")
    return bad


def _figures(given: argparse.Namespace) -> int:
    key = json.loads(given.key.read_text(encoding="utf-8"))
    judgements = [judgement(file) for file in sorted(given.judgements.glob("*.json"))]
    print(table(judged(given.folders, judgements, key)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
