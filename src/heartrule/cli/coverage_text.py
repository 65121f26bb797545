"""What commands say of coverage, and the options that ask for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, shown
from heartrule.cli.words import Language, said

if TYPE_CHECKING:
    from heartrule.language.findings import Refused
    from heartrule.script_tests.tally import Tally

Least = Annotated[
    float | None,
    typer.Option(
        "--min",
        metavar="PERCENT",
        min=0,
        max=100,
        help=said("覆盖少于百分之几就以 1 退出。", "Exit 1 when less than so many percent are covered."),
        show_default=False,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help=said("另存一页报告，脚本旁边标出走到和没走到的。", "Write a page too, with the scripts' source."),
        show_default=False,
    ),
]


def tell(tally: Tally, language: Language) -> None:
    """In the terminal."""
    from heartrule.script_tests.coverage_report import lines

    for line in lines(tally, language):
        echo(line)


def suffices(tally: Tally, least: float | None, html: Path | None, language: Language) -> bool:
    """Write the page where one is asked for; whether as much was reached as is asked for, which is said where it was
    not."""
    from heartrule.script_tests.coverage_page import page
    from heartrule.script_tests.coverage_report import too_little

    if html is not None:
        try:
            html.write_text(page(tally, language), encoding="utf-8")
        except OSError as error:
            raise stop(f"{html}: {error.strerror}", 2) from None
    lacking = too_little(tally, least, language) if least is not None else None
    if lacking is not None:
        echo(lacking, err=True)
    return lacking is None


def refused(refusal: Refused, language: Language) -> typer.Exit:
    """A script that cannot be compiled cannot be counted."""
    from heartrule.language.findings.report import report

    return stop(shown(report(refusal.findings, lang=language)))
