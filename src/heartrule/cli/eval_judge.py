"""``heartrule eval judge``: how well danger is heard in beginnings of sessions, by rules, classifier and model."""

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
    from heartrule.evals.extraction_answers import RecordedAnswer
    from heartrule.evals.judge_figures import Heard
    from heartrule.evals.judge_items import JudgeItem
    from heartrule.evals.judge_session import Tier

BeginningFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help=said("JSON Lines：带标签的会谈开头。", "JSON Lines of labelled beginnings of sessions."),
    ),
]
Show = Annotated[
    bool,
    typer.Option(
        "--show",
        help=said("每个标签都列出，不对的编号全写。", "Show every label, and the ids of all that went wrong."),
    ),
]

JUDGE = said(
    "在带标签的会谈开头上量一量：危险听出来多少，打断多少，没有危险的误报多少；规则、分类器、模型依次并排。"
    "不写 --answers 时会调用配置好的模型，要花钱。",
    "How much danger is heard in labelled beginnings of sessions, how much interrupts, how much is raised wrongly: "
    "rules, classifier and model side by side. Without --answers it calls the configured model, which costs money.",
)


def judge(
    files: BeginningFiles,
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
    from heartrule.cli.judge_output import plain, shown
    from heartrule.evals import judge_figures, judge_items
    from heartrule.evals.judge_session import Session

    words = Words(spoken_here(lang))
    recorded_answers.agree(mode, answers, prompts, record, out, words)
    items = rows_or_stop(lambda: judge_items.load_items(files), words)
    recorded = recorded_answers.recorded(answers, words)
    if record is not None and out is not None:
        recorded_answers.take_in([Session.of(each) for each in items], recorded, record, prompts, out, words)
        return
    if prompts is not None:
        recorded_answers.give_out([Session.of(each) for each in items], recorded, prompts, words)
        return
    found = _without_model(items, words)
    if mode == "model":
        given: dict[str, RecordedAnswer] | None = dict(recorded) if answers is not None else None
        sessions = [Session.of(each) for each in items]
        found["judge"] = recorded_answers.heard(sessions, given, parallel, data, words)
    report = judge_figures.report(found)
    if form == "json":
        echo_json(plain(report))
        return
    for line in shown(report, words, show=show):
        echo(line)


def _without_model(items: list[JudgeItem], words: Words) -> dict[Tier, list[Heard]]:
    from heartrule.evals import session_run
    from heartrule.evals.judge_session import Session

    tiers: tuple[Tier, ...] = ("rules", "classifier")
    return {tier: session_run.by_rules([Session.of(each, tier) for each in items], progress(words)) for tier in tiers}
