"""The built web app, as files to be served."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from pathlib import Path

FOR_GOOD = "public, max-age=31536000, immutable"


class Site:
    """Only what stood in the folder when it was first asked for is ever served: a path is looked up, not followed."""

    @cached_property
    def _files(self) -> dict[str, Path]:
        folder = folder_of_page()
        if folder is None:
            return {}
        return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    def file(self, path: str) -> Path | None:
        return self._files.get(path or "index.html")

    def keeping(self, path: str) -> str:
        """How long a browser may keep it: names with a hash of their content for good, others never unasked."""
        return FOR_GOOD if path.startswith("assets/") else "no-cache"

    def missing(self) -> str:
        """Said where the page was never built."""
        return files("heartrule.server").joinpath("texts", "no_page.html").read_text(encoding="utf-8")


def folder_of_page() -> Path | None:
    """The built page: in an installed package, else in the checkout; None when it was not built."""
    package = Path(__file__).parents[1]
    for folder in (package / "_web", package.parents[1] / "web" / "apps" / "visitor" / "dist"):
        if (folder / "index.html").is_file():
            return folder
    return None
