"""``heartrule eval risk`` and ``heartrule eval interruptions``: how well danger is heard, and how often wrongly."""

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
    from heartrule.evals.risk_figures import UtteranceResult
    from heartrule.evals.risk_items import Utterance
    from heartrule.language.nodes import Awareness

WATCHER = "safety/suicide_risk"

RiskFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help=said("JSON Lines：text、risk、sub。", "JSON Lines with text, risk and sub.")),
]
Mode = Annotated[
    Literal["rules", "model"],
    typer.Option(
        "--mode", help=said("只用规则，或再问配置好的模型。", "Rules alone, or the configured model as well.")
    ),
]
Part = Annotated[
    str,
    typer.Option(
        "--part",
        metavar="FIRST/STEP",
        help=said(
            "只用每隔几行的一行，如 3/4：从第 4 行起每四行一行。", "Every so many rows only; 3/4: the 4th, 8th, …"
        ),
    ),
]
Show = Annotated[
    bool, typer.Option("--show", help=said("漏掉的和误报的写出原文。", "Write out what was missed or raised wrongly."))
]


Sessions = Annotated[
    int,
    typer.Option(
        "--sessions",
        min=1,
        max=1_000_000,
        help=said("抽多少次 40 句话的会谈。", "How many sessions of 40 messages are drawn."),
    ),
]
Seed = Annotated[int, typer.Option("--seed", help=said("抽签的种子。", "What the draw begins with."))]

RISK = said(
    "在带标签的话上量一量：危险听出来多少，误报多少，多快。规则不需要模型；--mode model 会调用模型，要花钱。",
    "How much danger is heard in labelled utterances, how much is raised wrongly, how fast. Rules need no model; "
    "--mode model calls it, which costs money.",
)
INTERRUPTIONS = said(
    "在没有危险的话上数一数规则会打断几次，并估计 40 句话的会谈有几成会被打断。"
    "文件是每行一句，或带标签的 JSON Lines（只用 none）。",
    "How often the rules interrupt words without danger, and how many sessions of 40 messages that would be. "
    "Files hold a message a line, or are labelled JSON Lines (of which those of none count).",
)


def risk(
    file: RiskFile,
    mode: Mode = "rules",
    form: Form = "text",
    part: Part = "0/1",
    show: Show = False,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.cli.risk_output import plain, shown
    from heartrule.evals import risk_figures, risk_items

    words = Words(spoken_here(lang))
    wanted = _part(part, words)
    rows = rows_or_stop(lambda: risk_items.load_utterances(file, wanted), words)
    heard = _heard(rows, mode, data, words)
    report = risk_figures.report(heard)
    if form == "json":
        echo_json(plain(report, heard, show=show))
        return
    for line in shown(report, heard, words, show=show):
        echo(line)


def interruptions(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…")],
    sessions: Sessions = 1_000,
    seed: Seed = 1,
    form: Form = "text",
    show: Show = False,
    lang: Lang = None,
) -> None:
    from heartrule.cli.risk_output import interrupted
    from heartrule.evals import risk_figures, risk_run
    from heartrule.evals.risk_items import benign

    words = Words(spoken_here(lang))
    rows = [row for file in files for row in rows_or_stop(lambda file=file: benign(file), words)]  # type: ignore[misc]
    scripts = _scripts()
    found = {ref: risk_run.by_rules(node, rows, progress(words)) for ref, node in scripts.items()}
    strongest = [risk_figures.strongest(heard[n].found for heard in found.values()) for n in range(len(rows))]
    counted = risk_figures.interruptions(strongest.count("explicit"), len(rows))
    wrong = [(ref, each) for ref, heard in found.items() for each in heard if each.found == "explicit"]
    lots = risk_figures.drawn(strongest, sessions, seed)
    for line in interrupted(counted, strongest.count("watch"), lots, wrong, words, form=form, show=show):
        echo(line)


def _part(text: str, words: Words) -> tuple[int, int]:
    try:
        first, step = (int(each) for each in text.split("/"))
    except ValueError:
        raise stop(words("eval_bad_part", text=text), 2) from None
    if not 0 <= first < step:
        raise stop(words("eval_bad_part", text=text), 2)
    return first, step


def _scripts() -> dict[str, Awareness]:
    """The P0 scripts that belong to every session."""
    from heartrule.engine.installed_types import field_models
    from heartrule.language.projects.library import Library
    from heartrule.language.references import full

    safety = Library([], field_models()).safety
    assert safety is not None
    return {full(safety.id, node): node for node in safety.awareness if node.always and node.priority == "P0"}


def _heard(rows: list[Utterance], mode: str, data: Path | None, words: Words) -> list[UtteranceResult]:
    import asyncio

    from heartrule.evals import risk_run

    node = _scripts()[WATCHER]
    if mode == "rules":
        return risk_run.by_rules(node, rows, progress(words))

    async def listened() -> list[UtteranceResult]:
        model, _ = configured_model(data, words)
        try:
            return await risk_run.ModelListening(model, WATCHER, node, told=progress(words)).run(rows)
        finally:
            await model.aclose()

    return asyncio.run(listened())
