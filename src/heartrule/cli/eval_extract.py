"""``heartrule eval extract``: how well a session takes values from what is said to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.evaluations import configured_model, progress, rows_or_stop
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.evals.extraction_round import Round
    from heartrule.evals.extraction_run import ItemRun

ItemsFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help=said("JSON Lines：dialogue、brief、output、gold。", "JSON Lines with dialogue, brief, output and gold."),
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
Render = Annotated[
    Path | None,
    typer.Option(
        "--render",
        metavar="DIR",
        help=said("只把每条提示词写成 <id>.txt。", "Only write every prompt, as <id>.txt."),
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="DIR",
        help=said("只把 <id>.json 收成 --out 的文件。", "Only gather answers <id>.json, into the file of --out."),
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        metavar="DIR",
        help=said(
            "--record：当时写出的提示词；已经变了的不收。",
            "With --record: the prompts as rendered; answers to others are left out.",
        ),
    ),
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help=said("--record 写到哪里。", "Where --record writes."))
]
Show = Annotated[
    bool,
    typer.Option("--show", help=said("不对的写出应有的和写下的值。", "Write out what was to be held, and what is.")),
]
Parallel = Annotated[
    int, typer.Option("--parallel", min=1, max=64, help=said("同时最多几次调用。", "Calls at once, at most."))
]

EXTRACT = said(
    "在带标准答案的对话上量一量：从来访者的话里摘取变量，一次就全对的有多少。提示词、解析和写入都是会谈里的。"
    "不写 --answers 时会调用配置好的模型，要花钱。",
    "How often all values are taken rightly from what is said, at the first attempt, in dialogues with gold values; "
    "prompts, parsing and writing are a session's. Without --answers it calls the configured model, which costs money.",
)


def extract(
    file: ItemsFile,
    mode: Mode = "model",
    answers: Answers = None,
    form: Form = "text",
    render: Render = None,
    record: Record = None,
    prompts: Prompts = None,
    out: Out = None,
    show: Show = False,
    parallel: Parallel = 4,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))
    _agree(mode, answers, record, out, words)
    rounds = _rounds(file, words)
    if render is not None:
        _render(rounds, render, words)
        return
    if record is not None and out is not None:
        _record(rounds, record, prompts, out, words)
        return
    from heartrule.cli.extract_output import plain, shown
    from heartrule.evals import extraction_figures

    report = extraction_figures.report(_held(rounds, mode, answers, parallel, data, words))
    if form == "json":
        echo_json(plain(report, show=show))
        return
    for line in shown(report, words, show=show):
        echo(line)


def _agree(mode: str, answers: Path | None, record: Path | None, out: Path | None, words: Words) -> None:
    if (record is None) != (out is None):
        raise stop(words("extract_record_out"), 2)
    if mode == "rules" and answers is not None:
        raise stop(words("extract_rules_answers"), 2)


def _rounds(file: Path, words: Words) -> list[Round]:
    from heartrule.evals import extraction_items
    from heartrule.evals.extraction_round import Round

    return rows_or_stop(lambda: [Round.of(item) for item in extraction_items.load_items(file)], words)


def _render(rounds: list[Round], folder: Path, words: Words) -> None:
    from heartrule.evals import extraction_answers

    try:
        count = extraction_answers.rendered(extraction_answers.prompts_of(rounds), folder)
    except OSError as error:
        raise stop(words("extract_unwritten", path=folder, why=error.strerror), 2) from None
    echo(words("extract_rendered", count=count, folder=folder))


def _record(rounds: list[Round], folder: Path, prompts: Path | None, out: Path, words: Words) -> None:
    from heartrule.evals import extraction_answers

    found = extraction_answers.gathered(extraction_answers.prompts_of(rounds), folder, prompts)
    try:
        extraction_answers.dump_answers(out, found.answers)
    except OSError as error:
        raise stop(words("extract_unwritten", path=out, why=error.strerror), 2) from None
    echo(words("extract_recorded", count=len(found.answers), all=len(rounds), path=out))
    for key, ids in (("extract_no_answer", found.missing), ("extract_changed", found.changed)):
        if ids:
            echo(words(key, count=len(ids), ids=" ".join(ids)))


def _held(
    rounds: list[Round], mode: str, answers: Path | None, parallel: int, data: Path | None, words: Words
) -> list[ItemRun]:
    import asyncio

    from heartrule.evals import extraction_answers, extraction_run

    told = progress(words)
    if mode == "rules":
        return extraction_run.by_rules(rounds, told)
    if answers is not None:
        rows = rows_or_stop(lambda: extraction_answers.load_answers(answers), words)
        return asyncio.run(extraction_run.by_answers(rounds, rows, told))

    async def asked() -> list[ItemRun]:
        model, _ = configured_model(data, words)
        try:
            return await extraction_run.ExtractionModelRun(model, parallel, told).run(rounds)
        finally:
            await model.aclose()

    return asyncio.run(asked())
