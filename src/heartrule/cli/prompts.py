"""``heartrule prompts``: what a script asks a language model, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.settings import Data, Lang, Projects, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.language.compiling.script import Script
    from heartrule.testing.walk import AskedStep

prompts = typer.Typer(no_args_is_help=True)


@prompts.callback()
def _group() -> None:
    """Keeps ``render`` a command of its own."""


@prompts.command(
    help=said(
        "照脚本走一遍，打印每一处问模型的原文；加 --session 则打印一场谈过的会谈当时发出的原文。不联网，不保存。",
        "Walk through a script and print what the model is asked, word for word; with --session, what it was asked "
        "in a session that was held. Offline, nothing is kept.",
    )
)
def render(
    script: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCRIPT]",
            show_default=False,
            help=said(
                "脚本：库里的编号、FILE.yaml 或 FILE.yaml#会谈。",
                "A script of the library, FILE.yaml or FILE.yaml#session.",
            ),
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="ID",
            help=said("一场谈过的会谈，代替 SCRIPT。", "A session that was held, in place of SCRIPT."),
        ),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option(
            "--turn", min=1, help=said("只看这一轮（和 --session 一起用）。", "Only this turn (with --session).")
        ),
    ] = None,
    action: Annotated[
        str | None,
        typer.Option(
            "--action", metavar="ID", help=said("只看这个动作第一次问的。", "Only what this action first asks.")
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            help=said(
                "来访者说的话，一行一句；说完了由模拟来访者接着走。",
                "What the person says, one answer a line; then a simulated visitor goes on.",
            ),
        ),
    ] = None,
    locale: Annotated[
        str | None, typer.Option("--locale", help=said("用脚本的哪个语言版本。", "The language version of the script."))
    ] = None,
    project: Projects = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang, locale))
    if (script is None) == (session is None) or (turn is not None and session is None):
        raise stop(words("prompts_which"), 2)
    if session is not None:
        from heartrule.cli.prompt_replay import prompts_of

        for shown in prompts_of(session, turn, settings(data, project), words):
            echo(shown)
        return
    assert script is not None
    _walked(script, action, answers, locale, project, words)


def _walked(
    script: str,
    action: str | None,
    answers: Path | None,
    locale: str | None,
    project: list[Path] | None,
    words: Words,
) -> None:
    from heartrule.testing.walk import walk

    asked = walk(_compiled(script, locale, project, words), _lines(answers, words))
    shown = list(_first(asked, action) if action else asked)
    if not shown:
        raise stop(words("prompts_none", action=action or "–"))
    for each in shown:
        echo(_written(each, words))


def _compiled(script: str, locale: str | None, project: list[Path] | None, words: Words) -> Script:
    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings import Refused
    from heartrule.language.findings.report import report
    from heartrule.language.projects.library import Library, library_root

    try:
        return Library([library_root(), *(project or ())], field_models()).script(script, locale)
    except Refused as refused:
        raise stop("\n".join([words("script_has_errors"), report(refused.findings, lang=words.language)])) from None


def _lines(path: Path | None, words: Words) -> list[str]:
    if path is None:
        return []
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError):
        raise stop(words("prompts_unread", path=path), 2) from None


def _first(asked: Iterator[AskedStep], action: str) -> Iterator[AskedStep]:
    """All that is asked for the action in the first turn that asks for it."""
    turn = None
    for each in asked:
        if turn is not None and each.turn != turn:
            return
        if each.action == action:
            turn = each.turn
            yield each


def _written(asked: AskedStep, words: Words) -> str:
    head = words("prompts_head", turn=asked.turn, action=asked.action or "–", template=asked.prompt.template)
    body = [f"[{message.role}]\n{message.text}" for message in asked.prompt.messages]
    return "\n\n".join([f"──── {head}", *body, ""])
