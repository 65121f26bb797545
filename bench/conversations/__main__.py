"""``python -m bench.conversations``: what is played, read, judged and counted. ``README.md`` is the protocol."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.conversations import doors, plain
from bench.conversations.command import Commands
from bench.conversations.figures import held, table
from bench.conversations.judgement import judgement
from bench.conversations.judging import judge_prompt
from bench.conversations.record import MOST
from bench.conversations.sheet import Unsealed, seal, sheet
from bench.conversations.strip import stripped

WAIT = 300.0
"""Seconds that a reader is kept waiting for something to read."""


def main(arguments: Sequence[str] | None = None) -> int:
    commands = Commands("bench.conversations", __doc__)
    commands.add("seal", _seal, "write the sums of sheets, prompts and judges' questions, before a round")
    _held_with(commands.add("ours", _ours, "hold a conversation with the product"))
    _held_with(commands.add("plain", _plain, "hold it with a plain prompt"), plain_prompt=True)
    _doors(commands)
    strip = commands.strip(_strip)
    strip.add_argument("--with-summary", action="store_true", help="with the page that the product leaves to keep")
    judge = commands.add("judge-prompt", _judge_prompt, "print what a judge is asked")
    judge.add_argument("transcripts", nargs="+", type=Path, metavar="TRANSCRIPT")
    judge.add_argument("--order", choices=("ab", "ba"), default="ab")
    judge.add_argument("--language", choices=("zh-CN", "en"))
    commands.check(judgement)
    commands.figures(_figures, required=False)
    return commands.run(arguments, FileExistsError, Unsealed)


def _held_with(parser: argparse.ArgumentParser, plain_prompt: bool = False) -> None:
    parser.add_argument("sheet", help="the name of a sheet of ours, or a file")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--most", type=int, default=MOST, help="messages of the visitor")
    if plain_prompt:
        parser.add_argument("--prompt", help="by default the one for the sheet's kind and language")
        return
    parser.add_argument("--script", help="by default the one for the sheet's kind")
    parser.add_argument("--locale", help="by default the sheet's")
    parser.add_argument("--wall", action="store_true", help="let the machine's own time pass, not the talk's")
    parser.add_argument("--project", type=Path, action="append", default=[], help="scripts beside those we ship")


def _doors(commands: Commands) -> None:
    for name, run, about in (
        ("next-model", _next_model, "print the requests to the model that wait"),
        ("answer-model", _answer_model, "answer them"),
        ("next-visitor", _next_visitor, "print what is new on the visitor's page"),
        ("answer-visitor", _answer_visitor, "answer it"),
    ):
        parser = commands.add(name, run, about)
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--wait", type=float, default=WAIT, help="seconds")
        if name.startswith("answer"):
            parser.add_argument("--next", action="store_true", help="and wait for the next")
        if name.endswith("model"):
            parser.add_argument("--short", action="store_true", help="leave out what an earlier request began with")
        if name == "answer-model":
            parser.add_argument(
                "answers", nargs="*", metavar="NUMBER FILE", help="else '=== NUMBER' and the answer, typed"
            )
            parser.add_argument("--as-is", action="store_true", help="also what is not of the shape asked for")
        elif name == "answer-visitor":
            parser.add_argument("file", nargs="?", help="else typed")
        if name.endswith("visitor"):
            parser.add_argument("--sheet", action="store_true", help="print the sheet once more")


def _seal(_: argparse.Namespace) -> int:
    print(seal())
    return 0


def _ours(given: argparse.Namespace) -> int:
    from bench.conversations import ours  # the product: readers, who begin anew for each answer, do without it

    found = sheet(given.sheet)
    script, locale = given.script or found.script, given.locale or found.locale
    order = ours.Order(found, given.out, script, locale, given.wall, given.most, tuple(given.project))
    reason = asyncio.run(ours.held(order))
    print(f"over: {reason}")
    return doors.BAD if reason.startswith(ours.REFUSED) else 0


def _plain(given: argparse.Namespace) -> int:
    found = sheet(given.sheet)
    order = plain.Order(found, given.out, given.prompt or found.prompt, given.most)
    print(f"over: {asyncio.run(plain.held(order))}")
    return 0


def _next_model(given: argparse.Namespace) -> int:
    return doors.next_model(given.folder, given.wait, given.short)


def _answer_model(given: argparse.Namespace) -> int:
    if len(given.answers) % 2:
        raise ValueError("numbers and files come in pairs")
    pairs = [(int(n), doors.read(file)) for n, file in zip(given.answers[::2], given.answers[1::2], strict=True)]
    code = doors.answer_model(given.folder, pairs or doors.answers_in(doors.read(None)), given.as_is)
    return _next_model(given) if given.next and code == doors.PRINTED else code


def _next_visitor(given: argparse.Namespace) -> int:
    return doors.next_visitor(given.folder, given.wait, given.sheet)


def _answer_visitor(given: argparse.Namespace) -> int:
    code = doors.answer_visitor(given.folder, doors.read(given.file))
    return _next_visitor(given) if given.next and code == doors.PRINTED else code


def _strip(given: argparse.Namespace) -> int:
    codes = stripped(given.folders, given.out, given.seed, given.key, given.with_summary)
    print("\n".join(codes.values()))
    return 0


def _judge_prompt(given: argparse.Namespace) -> int:
    if len(given.transcripts) > 2:
        raise ValueError("a judge reads one transcript or two")
    print(judge_prompt(tuple(given.transcripts), given.order, given.language))
    return 0


def _figures(given: argparse.Namespace) -> int:
    key = json.loads(given.key.read_text(encoding="utf-8")) if given.key else {}
    files = sorted(given.judgements.glob("*.json")) if given.judgements else []
    judgements = [judgement(file) for file in files]
    print(table(held(given.folders, judgements, key), judgements, key))
    return 0


if __name__ == "__main__":
    sys.exit(main())
