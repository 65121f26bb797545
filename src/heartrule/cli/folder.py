"""The data folder: what is wrong with one that cannot be used."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heartrule.cli.words import Words


class Unusable(Exception):
    """``inside``: the file of the folder that is to blame, where it is not the folder itself."""

    def __init__(self, folder: Path, why: OSError, inside: Path | None = None) -> None:
        super().__init__(str(folder))
        self.folder, self.why, self.inside = folder, why, inside

    def explanation(self, words: Words) -> str:
        code = errno.errorcode.get(self.why.errno or 0, "")
        reason = words.of("folder_reasons", code)
        if reason == code:
            reason = self.why.strerror or type(self.why).__name__
        if self.inside is not None:
            reason = f"{self.inside}: {reason}"
        return words("folder_unusable", folder=self.folder, reason=reason)


def usable(folder: Path) -> None:
    """Makes the folder where there is none. Raises ``Unusable`` when nothing can be kept in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Unusable(folder, error) from None


@contextmanager
def opening(folder: Path) -> Iterator[None]:
    """What is opened in here is in ``folder``: a file of it that cannot be used is ``Unusable`` too."""
    usable(folder)
    try:
        yield
    except OSError as error:
        blamed = Path(str(error.filename)) if error.filename else None
        if blamed is None or not blamed.is_relative_to(folder):
            raise
        raise Unusable(folder, error, blamed.relative_to(folder)) from None
