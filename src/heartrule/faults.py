"""Faults, written down without anything that was said: where, of what kind, under a reference for people to name."""

from __future__ import annotations

import secrets
import traceback
from datetime import UTC, datetime
from pathlib import Path

LOG = "faults.log"
LARGEST = 5_000_000
"""Bytes after which the log begins anew; the one before it is kept as ``faults.log.1``."""


def recorded(error: BaseException, folder: Path) -> tuple[str, bool]:
    """The reference, and whether it could be written down in ``folder``. Messages of exceptions are left out: they may
    quote content."""
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
        file = folder / LOG
        if file.exists() and file.stat().st_size > LARGEST:
            file.replace(folder / f"{LOG}.1")
        with file.open("a", encoding="utf-8") as log:
            log.write("\n".join(lines) + "\n")
    except OSError:
        return reference, False
    return reference, True
