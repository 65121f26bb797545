"""``heartrule eval memory``: how well memory finds what was said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heartrule.cli import safe_text
from heartrule.cli.evaluations import rows_or_stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Form, Lang
from heartrule.cli.words import Words, said, spoken_here

HistoriesFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help=said(
            "LoCoMo 形式的 JSON，或我们自己的 JSON Lines：sessions、questions。",
            "JSON of LoCoMo's form, or JSON Lines of our own with sessions and questions.",
        ),
    ),
]
Most = Annotated[
    int, typer.Option("--k", min=1, max=100, help=said("每题取回几条。", "How many are found a question."))
]
Show = Annotated[
    bool, typer.Option("--show", help=said("写出没有全找到的问题。", "Write out questions of which not all was found."))
]

MEMORY = said(
    "在带问题和出处的对话历史上量一量：该想起的话找回了多少，新旧说法哪个在前，占多少 token，多快。不需要模型。",
    "How much of what answers a question is found again in histories with questions and evidence, whether the newest "
    "value comes first, what it costs in tokens, how fast. Needs no model.",
)


def memory(file: HistoriesFile, k: Most = 8, form: Form = "text", show: Show = False, lang: Lang = None) -> None:
    from heartrule.evals import memories, memory_run

    words = Words(spoken_here(lang))
    histories = rows_or_stop(lambda: memories.load_histories(file), words)
    figures, missed = memory_run.run(histories, k)
    if form == "json":
        found = {kind: each.data() for kind, each in sorted(figures.items())}
        echo_json({"k": k, "histories": len(histories), "by": found})
        return
    echo(words("memory_asked", histories=len(histories), k=k))
    echo(words("memory_head"))
    for kind, each in sorted(figures.items(), key=lambda pair: (pair[0] == "all", pair[0])):
        told = each.data()
        newest = "–" if told["newest"] is None else f"{told['newest']:.3f}"
        echo(
            f"{kind:<14}{told['asked']:>6}{told['recall']:>10.3f}{told['whole']:>8.3f}{newest:>8}"
            f"{told['tokens']:>8}{told['median_ms']:>9.2f}"
        )
    if show:
        for miss in missed:
            asked = safe_text.shown(" ".join(miss.question.ask.split()))
            echo(f"  {miss.history} {miss.question.kind}: {asked} [{' '.join(miss.question.evidence)}]")
