"""How many seeded faults lint finds in the right line, and how many it mends: ``python -m bench.lint_faults``."""

from __future__ import annotations

from collections.abc import Sequence

from tests.language.faults import GOOD, SETS, Looked, faults_of, looked
from tests.language.material import linted_whole


def main() -> None:
    clean = sum(len(linted_whole(path.read_text(encoding="utf-8"))) for path in GOOD.values())
    print(f"findings in the clean scripts: {clean}")
    seen = []
    for name in SETS:
        of_set = [looked(fault) for fault in faults_of(name)]
        _told(name, of_set)
        seen += of_set
    _told("all", seen)
    for each in seen:
        if not each.found or each.mended is False:
            print(f"  {'missed' if not each.found else 'mend fails'}: {each.fault.name}, line {each.fault.line}")


def _told(name: str, seen: Sequence[Looked]) -> None:
    found = sum(each.found for each in seen)
    offered = [each for each in seen if each.mended is not None]
    mend = sum(each.mended is True for each in offered)
    print(f"{name:<20} found in their line: {found} of {len(seen)} ({found / len(seen):.1%})", end="; ")
    print(f"mends that mend: {mend} of {len(offered)} offered")


if __name__ == "__main__":
    main()
