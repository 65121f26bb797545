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

    from heartrule.cli.findings import as_json, as_sarif, told
    from heartrule.engine.actions import field_models
    from heartrule.language.lint import lint_paths

    words = Words(spoken_here(lang))
    linted = lint_paths(paths, field_models())
    findings = linted.findings
    if form == "json":
        typer.echo(as_json(findings, words))
    elif form == "sarif":
        typer.echo(as_sarif(findings, words, version("heartrule")))
    elif not linted.files and not findings:
        raise stop(words("lint_none"))
    else:
        for line in told(findings, words):
            typer.echo(line)
        key = "lint_counts" if findings else "lint_clean"
        typer.echo(words(key, count=len(linted.files), errors=linted.errors, warnings=linted.warnings))
    raise typer.Exit(1 if linted.errors else 0)
