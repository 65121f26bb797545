"""``heartrule simulate``: a script held by simulated visitors."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json, shown
from heartrule.cli.settings import Data, Form, Lang, Projects, settings
from heartrule.cli.words import said, spoken_here

if TYPE_CHECKING:
    from heartrule.language.compiling.script import Script
    from heartrule.llm.settings import LlmSettings
    from heartrule.script_tests.simulation.report import Report, Texts
    from heartrule.script_tests.simulation.simulate import Order
    from heartrule.script_tests.simulation.simulated_session import SimulatedSession

HELP = said(
    "让模拟的来访者谈一个脚本，看在哪里停下、用几轮、卡不卡、危险有没有接住。不需要模型。"
    "危险没有当场接住，或者卡住，以 1 退出。",
    "Let simulated visitors hold a script: where they stop, how many rounds, whether anything is stuck, whether danger "
    "is answered. No model is needed. Exits 1 when danger was not answered at once or a session was stuck.",
)
Number = Annotated[
    int, typer.Option("--sessions", "-n", min=1, max=10_000, help=said("每种来访者几场。", "Sessions of each visitor."))
]
Who = Annotated[
    list[str] | None,
    typer.Option(
        "--persona",
        help=said(
            "哪种来访者：名字，或自己的 YAML 文件；可以写几次。默认全部八种。",
            "Which visitor, by name or by a YAML file of your own; may be given again. All eight by default.",
        ),
        show_default=False,
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", help=said("同样的种子，同样的谈话。", "The same seed, the same sessions."))
]
Parallel = Annotated[
    int | None,
    typer.Option(
        "--parallel",
        min=1,
        max=64,
        help=said("几个进程（默认有几个核就几个）。", "Processes (as many as there are cores by default)."),
        show_default=False,
    ),
]
Mode = Annotated[
    Literal["script", "model"],
    typer.Option(
        "--mode",
        help=said(
            "不接模型，或用配置好的模型（要花钱）。", "Without a model, or with the configured one (which costs money)."
        ),
    ),
]
Plays = Annotated[
    str | None,
    typer.Option(
        "--persona-model",
        metavar="MODEL",
        help=said("由这个模型扮演来访者（要花钱）。", "Have this model play the visitors (which costs money)."),
        show_default=False,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help=said("另写一页带图的报告。", "Write a report with pictures as well."),
        show_default=False,
    ),
]
Turns = Annotated[
    int, typer.Option("--turns", min=5, help=said("多少轮以后算卡住。", "Turns after which a session counts as stuck."))
]
Patience = Annotated[
    int,
    typer.Option(
        "--patience",
        min=2,
        help=said("连着多少轮没有进展算卡住。", "Turns in a row without progress after which it does."),
    ),
]


def simulate(
    script: Annotated[str, typer.Argument(metavar="SCRIPT")],
    sessions: Number = 5,
    persona: Who = None,
    seed: Seed = 0,
    parallel: Parallel = None,
    mode: Mode = "script",
    persona_model: Plays = None,
    form: Form = "text",
    html: Html = None,
    turns: Turns = 250,
    patience: Patience = 12,
    project: Projects = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.language.projects.library import library_root
    from heartrule.script_tests.simulation.persona import SHIPPED
    from heartrule.script_tests.simulation.plain import plain
    from heartrule.script_tests.simulation.report import Report, Texts
    from heartrule.script_tests.simulation.report_text import report_lines
    from heartrule.script_tests.simulation.simulate import Order

    folders = (library_root(), *(project or ()))
    compiled = _compiled(script, folders, lang)
    texts = Texts(spoken_here(lang, compiled.locale))
    models = _settings(data, texts) if mode == "model" or persona_model else None
    order = Order(
        script=script,
        folders=folders,
        personas=_personas(persona or SHIPPED, spoken_here(lang, compiled.locale)),
        sessions=sessions,
        seed=seed,
        turns=turns,
        patience=patience,
        model=models if mode == "model" else None,
        plays=_playing(models, persona_model) if models is not None and persona_model else None,
    )
    held = _held(order, parallel, texts)
    asked = ", ".join(each.called for each in models.all_models) if models is not None and mode == "model" else ""
    report = Report(order, compiled, held, model=asked, plays=persona_model or "")
    if form == "json":
        echo_json(plain(report), indent=1)
    else:
        for line in report_lines(report, texts):
            echo(line)
    if html is not None:
        _write(html, report, texts)
    if report.grave:
        raise typer.Exit(1)


def _compiled(reference: str, folders: tuple[Path, ...], lang: str | None) -> Script:
    from heartrule.cli.words import Words
    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings import Refused
    from heartrule.language.findings.report import report as findings_of
    from heartrule.language.projects.library import Library

    try:
        return Library(folders, field_models()).script(reference)
    except Refused as refused:
        words = Words(spoken_here(lang))
        told = findings_of(refused.findings, lang=words.language)
        raise stop("\n".join([words("script_has_errors"), told]), 2) from None


def _personas(names: tuple[str, ...] | list[str], language: str) -> tuple[str, ...]:
    """As they were named, each once; or the end, with what is wrong with one."""
    from heartrule.script_tests.simulation.persona import BadPersona, find

    try:
        by_id = {find(name).id: name for name in names}
    except BadPersona as bad:
        raise stop(shown(bad.said.localized(language)), 2) from None
    return tuple(by_id.values())


def _settings(data: Path | None, texts: Texts) -> LlmSettings:
    from heartrule.llm.config import ConfigError
    from heartrule.script_tests.simulation.blocking_models import configured

    try:
        return configured(settings(data).data)
    except ConfigError as error:
        raise stop(str(error) or texts("no_model"), 2) from None


def _playing(models: LlmSettings, name: str) -> LlmSettings:
    from heartrule.script_tests.simulation.blocking_models import for_personas

    return for_personas(models, name)


def _held(order: Order, parallel: int | None, texts: Texts) -> list[SimulatedSession]:
    import os

    from heartrule.script_tests.simulation.simulate import simulate as held

    began = time.monotonic()
    found = list(held(order, _progress(texts), parallel or os.cpu_count() or 1))
    echo(texts("took", sessions=len(found), seconds=f"{time.monotonic() - began:.1f}"), err=True)
    return found


def _progress(texts: Texts) -> Callable[[int, int], None]:
    """Says on stderr how far it is: all the time to a person, every tenth to a file."""

    def told(done: int, all_: int) -> None:
        line = texts("progress", done=done, all=all_)
        if sys.stderr.isatty():
            echo(line, err=True, nl=done == all_, over=True)
        elif done and done * 10 // all_ != (done - 1) * 10 // all_:
            echo(line, err=True)

    return told


def _write(file: Path, report: Report, texts: Texts) -> None:
    from heartrule.script_tests.simulation.page import page

    try:
        file.write_text(page(report, texts), encoding="utf-8")
    except OSError as error:
        raise stop(texts("bad_folder", folder=file, reason=error.strerror or type(error).__name__), 2) from None
    echo(texts("written", file=file), err=True)
