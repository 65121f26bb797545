"""Answers that were bought, in a file of their own: an evaluation that broke off goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heartrule.evals.figures import CallSpend


class AnswerCache:
    """One line an answer. A line that cannot be read (the last one, when the machine stopped) is passed over. Without a
    path nothing is kept longer than this lives."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._found: dict[str, tuple[Mapping[str, Any], CallSpend]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._read(line)

    def _read(self, line: str) -> None:
        try:
            row = json.loads(line)
            self._found[row["key"]] = (dict(row["data"]), CallSpend(**row["spent"]))
        except (ValueError, TypeError, KeyError):
            return

    def find(self, key: str) -> tuple[Mapping[str, Any], CallSpend] | None:
        return self._found.get(key)

    def keep(self, key: str, data: Mapping[str, Any], spent: CallSpend) -> None:
        """Written at once, in a line begun anew: what was cut off before it spoils nothing."""
        self._found[key] = (data, spent)
        if self._path is None:
            return
        line = json.dumps({"key": key, "data": data, "spent": asdict(spent)}, ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n" if file.tell() else f"{line}\n")
