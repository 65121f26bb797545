"""How long lint takes for 5,000 lines: ``python -m bench.lint_speed``. Processor time of this process."""

from __future__ import annotations

import cProfile
import pstats
import statistics
import sys
import time
from pathlib import Path

from heartrule.engine.installed_types import field_models
from heartrule.language import expressions, placeholders
from heartrule.language.linting.lint import lint_text

GOOD = Path(__file__).parent.parent / "tests" / "language" / "seeded" / "intake.zh.yaml"
LINES = 5_000
LIMIT = 300
RUNS = 9


def script(lines: int) -> str:
    """A script of that many lines: the good one of the seeded faults again and again, each time with other names."""
    head, _, rest = GOOD.read_text(encoding="utf-8").partition("  - session:")
    session, _, shared = rest.partition("skills:\n")
    parts, number = [head], 0
    length = head.count("\n") + shared.count("\n") + 1
    while length + session.count("\n") < lines:
        own = f"  - session:{session}".replace("mood_check", f"mood_check_{number}")
        own = own.replace("情绪强度", f"情绪强度{number}").replace("情绪评估", f"情绪评估{number}")
        parts.append(own)
        number += 1
        length += own.count("\n")
    return "".join([*parts, "skills:\n", shared])


def measured(text: str) -> list[float]:
    """Milliseconds of each run, with nothing remembered of the run before but what is shipped."""
    registry = field_models()
    lint_text(text, registry)
    spent = []
    for _ in range(RUNS):
        expressions.parse.cache_clear()
        placeholders._parsed.cache_clear()
        before = time.process_time()
        found = lint_text(text, registry)
        spent.append((time.process_time() - before) * 1_000)
        if found:
            raise SystemExit(f"the script should be clean: {found[0]}")
    return spent


def main() -> None:
    text = script(LINES)
    spent = measured(text)
    lines, best, middle = text.count("\n"), min(spent), statistics.median(spent)
    print(f"{lines} lines linted: {best:.0f} ms at best, {middle:.0f} ms in the middle")
    if "--profile" in sys.argv:
        profile = cProfile.Profile()
        profile.runcall(lint_text, text, field_models())
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    sys.exit(0 if min(spent) <= LIMIT else 1)


if __name__ == "__main__":
    main()
