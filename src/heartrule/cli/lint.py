"""``heartrule lint``: what is wrong with scripts, and how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.fmt import replace_file
from heartrule.cli.safe_text import echo, escaped
from heartrule.cli.settings import Lang
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.language.linting.lint import LintResult

_SCRIPT_REFUSED = "E710"


def lint(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH…",
            help=said(
                "脚本文件、测试文件、项目文件夹，或装着项目的文件夹。",
                "Script files, test files, project folders, folders of projects.",
            ),
        ),
    ],
    form: Annotated[
        Literal["text", "json", "sarif"], typer.Option("--format", help=said("输出的格式。", "Form of output."))
    ] = "text",
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help=said(
                "改好只有一种改法的问题，并说改了什么；注释不动。",
                "Mend what can be meant in one way only, and say what was mended; comments stay.",
            ),
        ),
    ] = False,
    lang: Lang = None,
) -> None:
    from importlib.metadata import version

    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings.report import report
    from heartrule.language.linting.lint import lint_paths

    words = Words(spoken_here(lang))
    scripts = [path for path in paths if not _is_of_tests(path)]
    linted = _mended(scripts, words, form == "text") if fix else lint_paths(scripts, field_models())
    linted = _with_tests(linted, paths)
    findings = linted.findings
    if form == "text" and not linted.files and not findings:
        raise stop(words("lint_none"))
    told = report(findings, form, words.language, version("heartrule"))
    if told:
        echo(told if form == "text" else escaped(told))
    if form == "text":
        key = "lint_counts" if findings else "lint_clean"
        echo(words(key, count=len(linted.files), errors=linted.errors, warnings=linted.warnings))
    raise typer.Exit(1 if linted.errors else 0)


def _is_of_tests(path: Path) -> bool:
    from heartrule.script_tests.tape import is_test_file

    return path.is_file() and is_test_file(path)


def _with_tests(linted: LintResult, paths: list[Path]) -> LintResult:
    """With what is wrong with the conversations held as tests that lie there. That a script cannot be loaded is told of
    the script itself."""
    from heartrule.language.findings import in_order
    from heartrule.language.linting.lint import LintResult
    from heartrule.script_tests.suite import Shelf, collect

    asked = [path for path in paths if path.is_dir() or _is_of_tests(path)]
    suite = collect(asked, Shelf())
    told = [each for each in suite.findings if each.code != _SCRIPT_REFUSED or each.file in map(str, asked)]
    return LintResult((*linted.files, *suite.files), tuple(in_order([*linted.findings, *told])))


def _mended(paths: list[Path], words: Words, told: bool) -> LintResult:
    """Mends what can be mended and tells of it, on the error stream where the output is for a program. What is left."""
    from heartrule.engine.installed_types import field_models
    from heartrule.language.linting.fixes import mend_paths

    made = mend_paths(paths, field_models(), replace_file)
    for found in made.done:
        message = found.localized(words.language)
        line = words("lint_mended", place=f"{found.file}:{found.line}", code=found.code, message=message.message)
        echo(line, err=not told)
    for path, problem in made.problems.items():
        echo(words("fmt_unwritten", path=path, problem=problem), err=True)
    echo(words("lint_mended_counts", count=len(made.done)), err=not told)
    return made.left
