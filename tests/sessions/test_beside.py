"""What is asked beside the turns: after the commit, never waited for, handed in once, counted apart."""

from __future__ import annotations

from heartrule.engine.io import Advice
from heartrule.sessions import advising


def test_advice_is_read_as_it_was_written() -> None:
    advice = (
        Advice("ai_ask_monitor t1 ask 2", "ai_ask_monitor", {"feedback_for_action": "慢一点", "depth": [1, None]}),
        Advice("strategy t1", "strategy", {}),
    )
    assert advising.read(advising.written(advice)) == advice
    assert advising.read(None) == ()
