"""How this very program is called again, so that what we tell people to type works where they are."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heartrule.cli.settings import settings

if TYPE_CHECKING:
    from heartrule.sessions import Settings

NAME = "heartrule"


def name() -> str:
    """``heartrule`` where that is found, else the way to it from here."""
    called = Path(sys.argv[0]).absolute()
    if called.stem != NAME:
        return f"python -m {NAME}"
    found = shutil.which(NAME)
    if found and Path(found).resolve() == called.resolve():
        return NAME
    return shlex.quote(str(called.relative_to(Path.cwd()) if called.is_relative_to(Path.cwd()) else called))


def call(where: Settings, arguments: Sequence[str]) -> str:
    """The whole command; with ``--data`` where the environment would lead elsewhere."""
    folder = [] if where.data == settings(None).data else ["--data", str(where.data)]
    return " ".join([name(), *(shlex.quote(word) for word in (*arguments, *folder))])
