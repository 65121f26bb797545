"""How many seeded faults lint finds in the right line, and how many it mends: ``python -m bench.lint_faults``."""

from __future__ import annotations

from tests.language.faults import GOOD, faults, looked
from tests.language.material import linted_whole


def main() -> None:
    clean = sum(len(linted_whole(path.read_text(encoding="utf-8"))) for path in GOOD.values())
    seen = [looked(fault) for fault in faults()]
    found = [each for each in seen if each.found]
    offered = [each for each in seen if each.mended is not None]
    print(f"findings in the clean scripts: {clean}")
    print(f"faults found in their line:    {len(found)} of {len(seen)} ({len(found) / len(seen):.1%})")
    print(f"mends that mend:               {sum(each.mended is True for each in offered)} of {len(offered)} offered")
    for each in seen:
        if not each.found or each.mended is False:
            print(f"  {'missed' if not each.found else 'mend fails'}: {each.fault.name}, line {each.fault.line}")


if __name__ == "__main__":
    main()
