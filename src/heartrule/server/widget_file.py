"""The widget that other pages load: one file, known by its version and what it consists of."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256, sha384
from importlib.metadata import version as release
from pathlib import Path

from heartrule.server.compressed_files import SUFFIXES

NAME = "heart-chat.js"


@dataclass(frozen=True, slots=True)
class Widget:
    """``version`` says which release it is of and, in eight digits of its hash, what it consists of: no two files
    are of one version. ``integrity`` is what a page puts into the attribute of this name."""

    version: str
    integrity: str
    content: bytes
    packed: Mapping[str, bytes] = field(default_factory=dict)
    """The same compressed, by coding, the smallest first."""

    @classmethod
    def of(cls, content: bytes, packed: Mapping[str, bytes] | None = None) -> Widget:
        integrity = b64encode(sha384(content).digest()).decode()
        version = f"{release('heartrule')}-{sha256(content).hexdigest()[:8]}"
        return cls(version, f"sha384-{integrity}", content, packed or {})


class WidgetFile:
    """``folders``: where the built file may lie; the first that has it."""

    def __init__(self, folders: tuple[Path, ...] | None = None) -> None:
        self._folders = places() if folders is None else folders

    @cached_property
    def widget(self) -> Widget | None:
        found = (folder / NAME for folder in self._folders if (folder / NAME).is_file())
        file = next(found, None)
        if file is None:
            return None
        others = {name: file.with_name(file.name + suffix) for name, suffix in SUFFIXES.items()}
        return Widget.of(
            file.read_bytes(), {name: other.read_bytes() for name, other in others.items() if other.is_file()}
        )


def places() -> tuple[Path, ...]:
    """In an installed package, else in the checkout."""
    package = Path(__file__).parents[1]
    if (package / "_web").is_dir():
        return (package / "_web" / "sdk",)
    return (package.parents[1] / "web" / "packages" / "sdk" / "dist" / "embed",)
