"""One thing that has changed, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.source import Path

Kind = Literal[
    "added",
    "removed",
    "moved",
    "copied",
    "renamed",
    "set",
    "changed",
    "unset",
    "comment",
    "formatting",
    "text",
]


@dataclass(frozen=True, slots=True)
class Change:
    """``path`` is where it stands now, or stood; ``before`` and ``after`` the whole values, None where there is none.
    ``help`` is what the key means."""

    kind: Kind
    file: str
    path: Path
    says: Bilingual
    before: Any = field(default=None, repr=False)
    after: Any = field(default=None, repr=False)
    help: Bilingual | None = None
