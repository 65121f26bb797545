"""The same page as a PDF, where the extra ``pdf`` is installed."""

from __future__ import annotations

import unicodedata
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any

LIBRARY = "weasyprint"
INSTEAD = "\u25a1"
LONGEST = 200_000
"""Characters of a page that are laid out: some seconds of a processor. A single session has some twenty thousand."""
_one_at_a_time = Lock()
"""Laying out takes a processor for itself; who waits, waits in a thread."""


class NoPdf(Exception):
    """The extra is not installed, or what it needs of the system is missing. The text is for whoever runs the
    server."""


class TooLong(Exception):
    """The page has more than ``LONGEST`` characters: everybody else's would wait for it."""


class NoFont(Exception):
    """No font of this machine has the letters of the report: a PDF of empty boxes is none."""


def is_possible() -> bool:
    """Whether the extra is installed; whether the system has its libraries is seen when it is first used."""
    return find_spec(LIBRARY) is not None


def pdf(html: str) -> bytes:
    """A tagged PDF (PDF/UA-1) of a page of ours. Signs that no font has, as of some emoji, become a box; letters never
    do: ``NoFont``. Raises ``NoPdf`` and ``TooLong``. Nothing is ever fetched for it. Takes its time: for a thread."""
    if len(html) > LONGEST:
        raise TooLong
    library = _library()
    with _one_at_a_time:
        made, missing = _written(library, html)
        if not missing:
            return made
        if any(unicodedata.category(each)[0] in "LN" for each in missing):
            raise NoFont
        return _written(library, "".join(INSTEAD if each in missing else each for each in html))[0]


def _written(library: Any, html: str) -> tuple[bytes, frozenset[str]]:
    """The PDF, and what no font had a shape for."""
    missing: set[str] = set()

    def look(document: Any, _: Any) -> None:
        for font in document.fonts.values():
            missing.update(chr(each) for each in font.missing)

    nothing = library.urls.URLFetcher(allowed_protocols=frozenset())
    made: bytes = library.HTML(string=html, url_fetcher=nothing).write_pdf(pdf_variant="pdf/ua-1", finisher=look)
    return made, frozenset(missing)


def _library() -> Any:
    try:
        return import_module(LIBRARY)
    except ImportError:
        raise NoPdf("pip install 'heartrule[pdf]'") from None
    except OSError:  # Pango is loaded from the system
        raise NoPdf("WeasyPrint does not find Pango: install the system's libpango and libpangoft2") from None
