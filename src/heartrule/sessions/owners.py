"""Who holds a session: this process, another one that lives, or one that has died.

Each process keeps a lock on a file of its own under ``owners/`` in the data folder for as long as it lives; the system
lets go of it when the process dies, however it dies. So the leases of a dead process need not be waited for. Processes
of other machines have their own folders; theirs are.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4


class Owner:
    """``id`` goes into leases: the folder's own name, then the process's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "owners"
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._node = _node(self._folder)
        self.id = f"{self._node}:{uuid4().hex}"
        self._path = self._folder / self.id.partition(":")[2]
        self._held = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._held)

    def is_dead(self, other: str) -> bool:
        """Whether ``other`` was a process on this folder that no longer lives."""
        node, _, name = other.partition(":")
        if node != self._node or not name or other == self.id:
            return False
        try:
            file = os.open(self._folder / name, os.O_RDWR)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        finally:
            os.close(file)
        (self._folder / name).unlink(missing_ok=True)
        return True


def _node(folder: Path) -> str:
    """The data folder's own name, made once and whole, by whichever process comes first."""
    path = folder / "node"
    if not path.exists():
        made = folder / f"node.{uuid4().hex}"
        file = os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(file, "w") as new:
            new.write(uuid4().hex)
        with suppress(FileExistsError):
            os.link(made, path)
        made.unlink()
    return path.read_text()
