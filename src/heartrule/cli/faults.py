"""A fault that a person is told of by a number, and that is written down without anything that was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartrule import logs
from heartrule.cli.safe_text import echo

if TYPE_CHECKING:
    import typer

    from heartrule.cli.words import Words


def told_of(error: BaseException, words: Words) -> str:
    """The fault in a sentence: in its own words where it has some; of any other, the number under which it was written
    down."""
    from heartrule.language.bilingual import SaidError

    if isinstance(error, SaidError):
        return error.told.localized(words.language)
    return words("failed", reference=logs.fault(error))


def stop(text: str, code: int = 1) -> typer.Exit:
    """Says ``text`` where errors are said; raise what comes back."""
    import typer

    echo(text, err=True)
    return typer.Exit(code)
