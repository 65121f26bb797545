"""A fault that a person is told of by a number, and that is written down without anything that was said."""

from __future__ import annotations

import secrets
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

LOG = "faults.log"


def recorded(error: BaseException, folder: Path) -> str:
    """Where and what kind, under a reference. Messages of exceptions are left out: they may quote content."""
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
        pass
    return reference


def stop(text: str, code: int = 1) -> typer.Exit:
    """Says ``text`` where errors are said; raise what comes back."""
    import typer

    typer.echo(text, err=True)
    return typer.Exit(code)
