"""``heartrule lint``: what is wrong with scripts, and how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.settings import Lang
from heartrule.cli.words import Words, said, spoken_here


def lint(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH…",
            help=said(
                "脚本文件、项目文件夹，或装着项目的文件夹。", "Script files, project folders, folders of projects."
            ),
        ),
    ],
    form: Annotated[
        Literal["text", "json", "sarif"], typer.Option("--format", help=said("输出的格式。", "Form of output."))
    ] = "text",
    lang: Lang = None,
) -> None:
    from importlib.metadata import version

    from heartrule.engine.actions import field_models
    from heartrule.language.lint import lint_paths
    from heartrule.language.report import report

    words = Words(spoken_here(lang))
    linted = lint_paths(paths, field_models())
    findings = linted.findings
    if form == "text" and not linted.files and not findings:
        raise stop(words("lint_none"))
    told = report(findings, form, words.language, version("heartrule"))
    if told:
        typer.echo(told)
    if form == "text":
        key = "lint_counts" if findings else "lint_clean"
        typer.echo(words(key, count=len(linted.files), errors=linted.errors, warnings=linted.warnings))
    raise typer.Exit(1 if linted.errors else 0)
