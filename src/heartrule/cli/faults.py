"""A fault that a person is told of by a number, and that is written down without anything that was said."""

from __future__ import annotations

import secrets
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

    from heartrule.cli.words import Words

LOG = "faults.log"


def recorded(error: BaseException, folder: Path) -> str:
    """Where and what kind, under a reference. Messages of exceptions are left out: they may quote content."""
    return _recorded(error, folder)[0]


def told_of(error: BaseException, folder: Path, words: Words) -> str:
    """The fault in a sentence that names the log it was written down in, if it was."""
    reference, written = _recorded(error, folder)
    if written:
        return words("failed", reference=reference, log=folder / LOG)
    return words("failed_unrecorded", kind=type(error).__name__, log=folder / LOG)


def _recorded(error: BaseException, folder: Path) -> tuple[str, bool]:
    reference = secrets.token_hex(4)
    lines = [f"{datetime.now(UTC).isoformat(timespec='seconds')} {reference}"]
    fault: BaseException | None = error
    while fault is not None:
        lines.append(f"  {type(fault).__module__}.{type(fault).__qualname__}")
        lines += [
            f"    {frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(fault.__traceback__)
        ]
        fault = fault.__cause__ or fault.__context__
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LOG).open("a", encoding="utf-8") as log:
            log.write("\n".join(lines) + "\n")
    except OSError:
        return reference, False
    return reference, True


def stop(text: str, code: int = 1) -> typer.Exit:
    """Says ``text`` where errors are said; raise what comes back."""
    import typer

    typer.echo(text, err=True)
    return typer.Exit(code)
