"""Writes the list in ``docs/decisions/README.md`` from the titles of the records. With ``--check`` nothing is written:
it fails when the list is not up to date."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "decisions"
INDEX = FOLDER / "README.md"
MARK = "<!-- records -->\n"


def listed() -> str:
    lines = []
    for path in sorted(FOLDER.glob("[0-9]*.md")):
        title = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        lines.append(f"- [{title}]({path.name})\n")
    return "".join(lines)


def main() -> int:
    before = INDEX.read_text(encoding="utf-8")
    text = before.partition(MARK)[0] + MARK + listed()
    if text == before:
        return 0
    if "--check" in sys.argv:
        print("docs/decisions/README.md is not up to date; run: make docs")
        return 1
    INDEX.write_text(text, encoding="utf-8")
    print("Wrote docs/decisions/README.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
