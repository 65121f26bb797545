"""What came of the turns of one cell of the fault matrix."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from heartrule.sessions import Outcome
from heartrule.store.records import AttemptRecord, CallRecord

JUDGING = ("risk", "reading", "judge", "perceive", "listen", "review")
"""Templates whose answers word nothing: without them the person is answered all the same."""
OPEN = ("breaker_open", "cooling", "no_provider", "open")
"""Causes of an attempt that asked nobody, because nobody was fit to be asked."""

WHOLE = re.compile(r"我听到了（[0-9a-f]{6}）。|可以再说一点吗（[0-9a-f]{6}）？")
"""What the model says, word for word."""


@dataclass(frozen=True, slots=True)
class Cell:
    kind: str
    rate: float
    providers: int


@dataclass(slots=True)
class Tally:
    """Seconds are virtual. ``asking``: turns in which the model was wanted for words; ``answered`` those in which it
    gave them; ``silent``: turns after which the person had read nothing new; ``doubled``: answers in which words stand
    twice, or are torn, though nobody noticed a fault; ``most``: the most calls for one task; ``opened``: the turns that
    had asked when a call was kept back for the first time; ``while_open``: the longest turn in which everything was."""

    budget: float
    sessions: int = 0
    stuck: int = 0
    garbled: int = 0
    turns: int = 0
    silent: int = 0
    asking: int = 0
    answered: int = 0
    doubled: int = 0
    slowest: float = 0.0
    late: int = 0
    calls: int = 0
    faults: int = 0
    recorded: int = 0
    most: int = 0
    retries: int = 0
    opened: int | None = None
    while_open: float = 0.0
    _asked: int = 0
    _times: list[tuple[float, float]] = field(default_factory=list)

    def begin(self) -> None:
        self._times = []

    def took(self, outcome: Outcome, began: float, ended: float) -> None:
        self._times.append((began, ended))
        self.turns += 1
        self.slowest = max(self.slowest, ended - began)
        self.late += ended - began > self.budget + 0.05
        said = any(message.sender == "ai" and message.text.strip() for message in outcome.messages)
        self.silent += not said and outcome.execution_status != "completed"

    def ended(self, completed: bool) -> None:
        self.sessions += 1
        self.stuck += not completed

    def asked(self, calls: Sequence[CallRecord], attempts: Sequence[AttemptRecord]) -> None:
        """One session's calls and attempts."""
        worded: dict[int, bool] = {}
        for call in calls:
            if call.template not in JUDGING and call.status != "dropped":  # whose words nobody wanted any more
                worded[call.turn] = worded.get(call.turn, False) or call.status == "answered"
                self.doubled += _torn(call)
        self.asking += len(worded)
        self.answered += sum(worded.values())
        tasks = Counter((each.turn, each.key) for each in attempts if each.provider)
        self.recorded += tasks.total()
        self.most = max(self.most, max(tasks.values(), default=0))
        self.retries += sum(count - 1 for count in tasks.values())
        by_turn: dict[int, list[AttemptRecord]] = defaultdict(list)
        for each in attempts:
            by_turn[each.turn].append(each)
        for turn, made in by_turn.items():
            self._asked += 1
            began, ended = self._times[turn - 1]
            kept_back = [each for each in made if not each.provider and each.cause in OPEN]
            if kept_back and self.opened is None:
                self.opened = self._asked
            if len(kept_back) == len(made):
                self.while_open = max(self.while_open, ended - began)

    @property
    def share(self) -> float:
        """Of the turns in which the model was wanted for words, those in which it gave them."""
        return self.answered / self.asking if self.asking else 1.0

    def figures(self) -> dict[str, object]:
        return {
            "sessions": self.sessions,
            "stuck": self.stuck,
            "garbled": self.garbled,
            "turns": self.turns,
            "unanswered": self.silent,
            "model_answers": round(self.share, 4),
            "doubled_answers": self.doubled,
            "slowest": round(self.slowest, 2),
            "over_budget": self.late,
            "calls_per_turn": round(self.calls / self.turns, 2) if self.turns else 0,
            "faults": self.faults,
            "most_calls_for_a_task": self.most,
            "retries": self.retries,
            "unrecorded_calls": self.calls - self.recorded,
            "breaker_opened_in_turn": self.opened,
            "slowest_while_open": round(self.while_open, 2),
        }


def _torn(call: CallRecord) -> bool:
    """Whether an answer that was taken for a good one does not say what the model's server meant. One that broke off
    when some of it was shown, and was gone on with by another try, may say both."""
    content = (call.data or {}).get("content")
    if call.status != "answered" or not content or [each.get("outcome") for each in call.attempts] != ["ok"]:
        return False
    return not WHOLE.fullmatch(str(content))
