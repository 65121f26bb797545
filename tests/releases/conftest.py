from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.server.material import Grounds


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many sessions were moved as it was said, whoever of the workers has moved them."""
    told: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "said of sessions" and isinstance(value, dict):
                told.update(value)
    if told:
        terminalreporter.write_line(f"{told.total()} moves, each as it was said: {dict(sorted(told.items()))}")
