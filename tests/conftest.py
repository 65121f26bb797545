"""What holds for every test.

Property tests take the same examples in every run of the same code, so that a green run stays green wherever it is
repeated; with ``HEARTRULE_RANDOM=1`` (`make fuzz`) they take fresh ones. None has a deadline: on a busy machine it
would hold how much else is going on. An empty database is laid out from what its
migrations were seen to run. No model elsewhere is called, by a test or by a program that it starts. Such programs keep
what Python compiled of their modules, also where the environment says that nothing is to be kept: compiling them costs
each more than a second. With ``-n auto`` there is a worker more than there are processors: browsers, servers and
terminals are waited for most of their time.

`make test` runs the short form (``HEARTRULE_TESTS=short``): all tests but the long ones (``tests/long.txt``, written by
``tools/long_tests.py``), and of those a share that changes with every commit, so that each has its turn. Whoever names
tests on the command line runs all that they name; `make everything` runs all there are.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from tests.store import laid

from heartrule.llm.live import forbid_live_calls
from heartrule.store import migrate

forbid_live_calls()

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("fresh", derandomize=False, print_blob=True, deadline=None)
settings.load_profile("fresh" if os.environ.get("HEARTRULE_RANDOM") == "1" else "same")

migrate._upgrade = laid.upgrade
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """A command that a test runs in this process writes its log there for no other test."""
    root, ours = logging.getLogger(), logging.getLogger("heartrule")
    before, level = list(root.handlers), ours.level
    yield
    for handler in [each for each in root.handlers if each not in before]:
        root.removeHandler(handler)
    ours.setLevel(level)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


SHARE = 30
"""In the short form one of so many long tests is run."""
BEGUN_FIRST = "tests/script_tests/test_library.py"
"""Minutes in one piece: begun last, all other workers would wait for it."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long tests out of the short form, but for those whose turn it is: which they are depends on the commit and
    on nothing else, so that a run can be repeated."""
    items.sort(key=lambda item: not item.nodeid.startswith(BEGUN_FIRST))
    if os.environ.get("HEARTRULE_TESTS") != "short":
        return
    root = Path(__file__).parents[1]
    long = set((root / "tests/long.txt").read_text(encoding="utf-8").splitlines())
    commit = os.environ.get("HEARTRULE_COMMIT") or _commit(root)
    kept, left = [], []
    for item in items:
        turn = hashlib.sha256(f"{commit} {item.nodeid}".encode()).digest()[0] % SHARE
        path, *_, name = item.nodeid.partition("[")[0].split("::")  # a class in between is not named in the list
        (left if f"{path}::{name}" in long and turn else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _commit(root: Path) -> str:
    """The commit that is checked out; empty where there is none to ask for."""
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    return asked.stdout.strip()
