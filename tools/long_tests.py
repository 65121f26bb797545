"""Which tests are long, from a run of all of them: of these `make test` runs a share, `make everything` all.

    .venv/bin/pytest -n auto --junitxml=build/junit.xml
    .venv/bin/python tools/long_tests.py build/junit.xml

A test function is long when all that it is asked with takes more than so many seconds together. What is about danger
is never left out, nor are the conversation tests of the library, nor the few walks through the pages named here.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/long.txt"
MOST = 1.0
"""Seconds of one function with all that it is asked with: two processors, three workers, other work beside."""
ALWAYS = (
    "tests/safety/",
    "tests/house/",
    "tests/script_tests/test_library.py",
    "tests/browser/test_exercise.py",
    "tests/browser/test_danger.py::test_a_direct_question_has_buttons_and_stands_in_sight",
)
HEAD = "# Written by tools/long_tests.py: test functions of which `make test` runs a share, `make everything` all.\n"


def functions(junit: Path) -> dict[str, float]:
    """Seconds of each test function of a run, by ``path::name``."""
    found: defaultdict[str, float] = defaultdict(float)
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        place, name = case.get("classname"), case.get("name")
        if place and name:
            path = _path(place)
            found[f"{path}::{name.partition('[')[0]}"] += float(case.get("time") or 0)
    return found


def _path(place: str) -> str:
    """``tests.server.test_a`` or ``tests.server.test_a.TestB`` as a file's path."""
    parts = place.split(".")
    while parts and not (ROOT / Path(*parts)).with_suffix(".py").is_file():
        parts.pop()
    return Path(*parts).with_suffix(".py").as_posix() if parts else place


def main() -> int:
    found = functions(Path(sys.argv[1]))
    long = sorted(name for name, seconds in found.items() if seconds > MOST and not name.startswith(ALWAYS))
    LIST.write_text(HEAD + "".join(f"{name}\n" for name in long), encoding="utf-8")
    taken = sum(found[name] for name in long)
    print(f"{len(long)} of {len(found)} functions, {taken:.0f} of {sum(found.values()):.0f} seconds.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
