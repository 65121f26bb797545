"""How long simulated visitors take: 4 personas × 25 sessions of the shipped assessment, in script mode.

    python -m bench.simulation [--sessions 25] [--parallel 2]

Prints seconds of the clock and of the processor, and exits 1 when the clock says more than the limit, when a session
is stuck, or when danger is not answered at once.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time

from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library, library_root
from heartrule.script_tests.simulation.figures import figures
from heartrule.script_tests.simulation.simulate import Order, simulate

PERSONAS = ("cooperative", "avoidant", "confused", "at_risk")
SCRIPT = "cbt/first_assessment"
LIMIT = 60
"""Seconds, on two cores."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=25)
    parser.add_argument("--parallel", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    began = time.monotonic()
    order = Order(SCRIPT, (library_root(),), PERSONAS, given.sessions, seed=1)
    sessions = list(simulate(order, lambda done, all_: None, given.parallel))
    seconds = time.monotonic() - began
    used = sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    found = figures(Library([library_root()], field_models()).script(SCRIPT), sessions)
    turns = sum(found.rounds)
    print(f"{len(sessions)} sessions, {turns} rounds: {seconds:.1f} s ({LIMIT} s), {used:.1f} s of the processor")
    print(f"stuck {found.count('stuck')}, danger {found.safety.voiced}, answered at once {found.safety.answered}")
    good = seconds <= LIMIT and not any(each.grave for each in found.findings)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
