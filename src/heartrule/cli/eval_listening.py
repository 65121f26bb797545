"""``heartrule eval listening``: whether a session hears what it has been told, refused and chosen, and what the model
behind it is fit for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli import recorded_answers
from heartrule.cli.evaluations import progress, rows_or_stop
from heartrule.cli.recorded_answers import Answers, Mode, Out, Parallel, Prompts, Record
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.evals.listening_session import Session

ItemFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help=said(
            "JSON Lines：会谈的开头、拒绝、对选项打的字，按各自的键认出。",
            "JSON Lines of beginnings, refusals or typed choices, recognised by their keys.",
        ),
    ),
]
Show = Annotated[
    bool, typer.Option("--show", help=said("列出每一处不对的编号。", "List the id of everything that went wrong."))
]
LISTENING = said(
    "在带标签的会谈开头上量一量：说过的是不是不再问，没说的是不是还会问，不愿谈的、对选项打的字听懂了没有；最后说这个模型适合做什么。"
    "不写 --answers 时会调用配置好的模型，要花钱。",
    "Whether a session asks what was told, leaves out what was not, keeps refusals and understands typed choices, on "
    "labelled dialogues; and what the model is fit for. Without --answers it calls the configured model, which costs "
    "money.",
)


def listening(
    files: ItemFiles,
    mode: Mode = "model",
    answers: Answers = None,
    prompts: Prompts = None,
    record: Record = None,
    out: Out = None,
    form: Form = "text",
    show: Show = False,
    parallel: Parallel = 4,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))
    recorded_answers.agree(mode, answers, prompts, record, out, words)
    sessions = _sessions(files, words, model=mode == "model")
    recorded = recorded_answers.recorded(answers, words)
    if record is not None and out is not None:
        recorded_answers.take_in(sessions, recorded, record, prompts, out, words)
        return
    if prompts is not None:
        recorded_answers.give_out(sessions, recorded, prompts, words)
        return
    from heartrule.cli.listening_output import plain, shown
    from heartrule.evals import listening_figures, session_run

    if mode == "rules":
        found = session_run.by_rules(sessions, progress(words))
    else:
        given = recorded if answers is not None else None
        found = recorded_answers.heard(sessions, given, parallel, data, words)
    report = listening_figures.report(found)
    if form == "json":
        echo_json(plain(report))
        return
    for line in shown(report, words, show=show, rules=mode == "rules"):
        echo(line)


def _sessions(files: list[Path], words: Words, *, model: bool) -> list[Session]:
    from heartrule.evals import listening_items
    from heartrule.evals.listening_session import Session

    return rows_or_stop(lambda: [Session.of(item, model=model) for item in listening_items.load_items(files)], words)
