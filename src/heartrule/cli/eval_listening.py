"""``heartrule eval listening``: whether a session hears what it has been told, refused and chosen, and what the model
behind it is fit for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.evaluations import configured_model, progress, rows_or_stop
from heartrule.cli.faults import stop
from heartrule.cli.settings import Data, Form, Lang
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.evals.extraction_answers import Recorded
    from heartrule.evals.listening_run import Heard
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
Mode = Annotated[
    Literal["model", "rules"],
    typer.Option("--mode", help=said("问模型，或不用模型。", "Ask a model, or do without one.")),
]
Answers = Annotated[
    Path | None,
    typer.Option(
        "--answers", metavar="FILE", help=said("读录好的回答，不问模型。", "Read recorded answers; ask no model.")
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        metavar="DIR",
        help=said(
            "只把 --answers 还没有答的提示词写成 <编号>.txt；同 --record：当时写出的提示词，已经变了的不收。",
            "Only write the prompts that --answers do not answer, as <id>.txt; with --record: the prompts as written, "
            "answers to others are left out.",
        ),
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="DIR",
        help=said(
            "只把 <编号>.json 收进 --out 的文件，连同 --answers 里的。",
            "Only gather answers <id>.json into the file of --out, with those of --answers.",
        ),
    ),
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help=said("--record 写到哪里。", "Where --record writes."))
]
Show = Annotated[
    bool, typer.Option("--show", help=said("列出每一处不对的编号。", "List the id of everything that went wrong."))
]
Parallel = Annotated[
    int, typer.Option("--parallel", min=1, max=64, help=said("同时最多几次调用。", "Calls at once, at most."))
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
    if (record is None) != (out is None):
        raise stop(words("extract_record_out"), 2)
    if mode == "rules" and not (answers is None and prompts is None and record is None):
        raise stop(words("listening_rules_alone"), 2)
    sessions = _sessions(files, words, model=mode == "model")
    recorded = _recorded(answers, words)
    if record is not None and out is not None:
        _record(sessions, recorded, record, prompts, out, words)
        return
    if prompts is not None:
        _write(sessions, recorded, prompts, words)
        return
    from heartrule.cli.listening_shown import plain, shown
    from heartrule.evals import listening_figures

    given = recorded if answers is not None else None
    report = listening_figures.report(_heard(sessions, mode, given, parallel, data, words))
    if form == "json":
        typer.echo(json.dumps(plain(report), ensure_ascii=False, indent=2))
        return
    for line in shown(report, words, show=show, rules=mode == "rules"):
        typer.echo(line)


def _sessions(files: list[Path], words: Words, *, model: bool) -> list[Session]:
    from heartrule.evals import listening_items
    from heartrule.evals.listening_session import Session

    return rows_or_stop(lambda: [Session.of(item, model=model) for item in listening_items.read(files)], words)


def _recorded(answers: Path | None, words: Words) -> Mapping[str, Recorded]:
    from heartrule.evals import extraction_answers

    return rows_or_stop(lambda: extraction_answers.read(answers), words) if answers is not None else {}


def _write(sessions: list[Session], recorded: Mapping[str, Recorded], folder: Path, words: Words) -> None:
    from heartrule.evals import extraction_answers, listening_run

    asked = listening_run.unanswered(sessions, recorded, progress(words))
    try:
        count = extraction_answers.rendered(asked, folder)
    except OSError as error:
        raise stop(words("extract_unwritten", path=folder, why=error.strerror), 2) from None
    typer.echo(words("extract_rendered", count=count, folder=folder))


def _record(
    sessions: list[Session],
    recorded: Mapping[str, Recorded],
    folder: Path,
    prompts: Path | None,
    out: Path,
    words: Words,
) -> None:
    from heartrule.evals import extraction_answers, listening_run

    asked = listening_run.unanswered(sessions, recorded, progress(words))
    found = extraction_answers.gathered(asked, folder, prompts)
    kept = [each for name, each in recorded.items() if name not in asked]
    try:
        extraction_answers.write(out, [*kept, *found.answers])
    except OSError as error:
        raise stop(words("extract_unwritten", path=out, why=error.strerror), 2) from None
    count, every = len(kept) + len(found.answers), len(kept) + len(asked)
    typer.echo(words("extract_recorded", count=count, all=every, path=out))
    for key, ids in (("extract_no_answer", found.missing), ("extract_changed", found.changed)):
        if ids:
            typer.echo(words(key, count=len(ids), ids=" ".join(ids)))


def _heard(
    sessions: list[Session],
    mode: str,
    recorded: Mapping[str, Recorded] | None,
    parallel: int,
    data: Path | None,
    words: Words,
) -> list[Heard]:
    import asyncio

    from heartrule.evals import listening_run

    told = progress(words)
    if mode == "rules":
        return listening_run.by_rules(sessions, told)
    if recorded is not None:
        return listening_run.by_answers(sessions, recorded, told)

    async def asked() -> list[Heard]:
        model, _ = configured_model(data, words)
        try:
            return await listening_run.Asking(model, parallel, told).run(sessions)
        finally:
            await model.aclose()

    return asyncio.run(asked())
