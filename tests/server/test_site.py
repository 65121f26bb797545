"""Which addresses are pages of the staff's app, and which are nothing."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from heartrule.server import site


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> site.Site:
    for name in ("index.html", "staff/index.html", "staff/mark.svg", "staff/assets/main-1.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    monkeypatch.setattr("heartrule.server.site.folders_of_pages", lambda: [(PurePosixPath("."), tmp_path)])
    return site.Site()


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("", "index.html"),
        ("staff", "staff/index.html"),
        ("staff/desk", "staff/index.html"),
        ("staff/workbench/library.cbt", "staff/index.html"),
        ("staff/workbench/v1.2/x", "staff/index.html"),
        ("staff/mark.svg", "staff/mark.svg"),
        ("staff/gone.js", None),
        ("staff/.env", None),
        ("staff/../secret", None),
        ("staff/assets/main-0.js", None),
        ("desk.html", None),
    ],
)
def test_an_address_is_a_page_or_a_file_or_nothing(pages: site.Site, path: str, file: str | None) -> None:
    found = pages.file(path)
    assert (found.read_text(encoding="utf-8") if found else None) == file
