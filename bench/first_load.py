"""How long a fresh process takes until a script of 2,000 lines can be run: ``python -m bench.first_load``. Everything
counts: imports, the action types, the shipped projects that it stands beside, reading, checking and compiling.

Each run is a process of its own. What others do on the machine counts too, so the best run is told beside the one in
the middle; ``--imports`` lists what took the longest to import.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench.turns import long_script

LINES, LIMIT, RUNS = 2_000, 500, 9
"""``LIMIT``: milliseconds, of the best run."""
LOADING = """
import sys, time
began, worked = time.perf_counter(), time.process_time()
from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library
registry = field_models()
known, spent = time.perf_counter(), time.process_time()
script = Library([], registry).script(sys.argv[1])
now, done = time.perf_counter(), time.process_time()
print(known - began, now - began, spent - worked, done - worked)
"""


def run(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-c", LOADING, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def imports(told: str) -> Counter[str]:
    """Milliseconds by module, of what ``-X importtime`` tells."""
    found: Counter[str] = Counter()
    for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", told):
        found[name] += int(own)
    return Counter({name: spent // 1_000 for name, spent in found.items()})


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=RUNS)
    asked.add_argument("--imports", action="store_true")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.yaml"
        path.write_text(long_script(LINES), encoding="utf-8")
        run(path)  # what is compiled to bytecode once
        spent = [[float(each) * 1_000 for each in run(path).stdout.split()] for _ in range(options.runs)]
        slowest = imports(run(path, "-X", "importtime").stderr) if options.imports else Counter()
    types, whole, of_types, of_whole = (list(column) for column in zip(*spent, strict=True))
    print(
        f"{LINES} lines in a fresh process: {min(whole):.0f} ms at best, {statistics.median(whole):.0f} in the middle"
        f" (limit {LIMIT}); processor {min(of_whole):.0f} and {statistics.median(of_whole):.0f} ms, of which the action"
        f" types {min(of_types):.0f} and {statistics.median(of_types):.0f} ms; their clock {min(types):.0f} ms"
    )
    for name, milliseconds in slowest.most_common(20):
        print(f"{milliseconds:6} ms  {name}")
    sys.exit(0 if min(whole) <= LIMIT else 1)


if __name__ == "__main__":
    main()
