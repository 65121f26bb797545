"""A fault that a person is told of by a number, and that is written down without anything that was said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from heartrule.faults import LOG
from heartrule.faults import recorded as write

if TYPE_CHECKING:
    import typer

    from heartrule.cli.words import Words


def recorded(error: BaseException, folder: Path) -> str:
    """Where and what kind, under a reference. Messages of exceptions are left out: they may quote content."""
    return write(error, folder)[0]


def told_of(error: BaseException, folder: Path, words: Words) -> str:
    """The fault in a sentence: one of a package in its own words; of any other, that names the log it was written down
    in, if it was."""
    from heartrule.engine.actions import Unloadable

    if isinstance(error, Unloadable):
        return error.told.localized(words.language)
    reference, written = write(error, folder)
    if written:
        return words("failed", reference=reference, log=folder / LOG)
    return words("failed_unrecorded", kind=type(error).__name__, log=folder / LOG)


def stop(text: str, code: int = 1) -> typer.Exit:
    """Says ``text`` where errors are said; raise what comes back."""
    import typer

    typer.echo(text, err=True)
    return typer.Exit(code)
