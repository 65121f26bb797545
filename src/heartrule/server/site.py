"""The built web apps, as files to be served: the visitor's at the root, that of the staff under ``/staff``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from html import escape
from importlib.resources import files
from pathlib import Path, PurePosixPath

from heartrule.server.compressed_files import SUFFIXES

PAGES = {"": "index.html", "staff": "staff/index.html", "staff/": "staff/index.html"}
STAFF, ASSETS = "staff/", ("assets/", "staff/assets/")
MOVED = {"desk": "/staff/desk", "desk/": "/staff/desk"}
"""Where what once stood at these paths is now."""
FOR_GOOD = "public, max-age=31536000, immutable"


class Site:
    """Only what stood in the folder when it was first asked for is ever served: a path is looked up, not followed."""

    @cached_property
    def _files(self) -> dict[str, Path]:
        return {
            (where / path.relative_to(folder)).as_posix(): path
            for where, folder in folders_of_pages()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix not in SUFFIXES.values()
        }

    def file(self, path: str) -> Path | None:
        """The staff's app has addresses of its own under ``/staff/``: what is no file there, and does not begin as the
        name of one. A project's id may have a dot (``workbench/library.cbt``)."""
        found = self._files.get(PAGES.get(path, path))
        if found is None and path.startswith(STAFF) and not path.startswith(ASSETS):
            section = path.removeprefix(STAFF).partition("/")[0]
            return self._files.get(PAGES[STAFF]) if "." not in section else None
        return found

    def keeping(self, path: str) -> str:
        """How long a browser may keep it: names with a hash of their content for good, others never unasked."""
        return FOR_GOOD if path.startswith(ASSETS) else "no-cache"

    def missing(self) -> str:
        """Said where the page was never built."""
        return files("heartrule.server").joinpath("texts", "no_page.html").read_text(encoding="utf-8")

    def unknown(self, zh: Sequence[tuple[str, str]], en: Sequence[tuple[str, str]]) -> str:
        """Said where there is no such page, with whom to call, by name and number: whoever is lost may be in need."""
        text = files("heartrule.server").joinpath("texts", "no_such_page.html").read_text(encoding="utf-8")
        listed = {"zh": zh, "en": en}
        return text.format_map(
            {
                lang: "".join(f"<li>{escape(name)}: {_called(number)}</li>" for name, number in own)
                for lang, own in listed.items()
            }
        )


def _called(number: str) -> str:
    """A number that can be dialled, or an address that can be opened, by one tap."""
    digits = re.sub(r"[^\d+]", "", number)
    where = f"tel:{digits}" if re.fullmatch(r"[\d+][\d\s()+./-]*", number) else f"https://{number}"
    return f'<a href="{escape(where)}" rel="noreferrer">{escape(number)}</a>'


def folders_of_pages() -> list[tuple[PurePosixPath, Path]]:
    """The built pages, each with where it is served: in an installed package, else in the checkout; those that were not
    built are left out."""
    package = Path(__file__).parents[1]
    apps = package.parents[1] / "web" / "apps"
    places = [(".", package / "_web")]
    if not (package / "_web").is_dir():
        places = [(".", apps / "visitor" / "dist"), ("staff", apps / "staff" / "dist")]
    return [(PurePosixPath(where), folder) for where, folder in places if (folder / "index.html").is_file()]
