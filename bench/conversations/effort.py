"""What a conversation asked of the model and of the visitor."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from bench.conversations.record import Call, Record
from bench.conversations.spool import of_model
from bench.intake import tokens
from bench.intake.turns import Call as Counted
from bench.intake.turns import rounds

MOST_CALLS, MOST_ROUNDS = 3, 1
"""What we hold a turn to."""
OPENING = 1
"""The turn in which the counsellor says the first words."""


@dataclass(frozen=True, slots=True)
class Effort:
    """AnswerSource are per turn of the visitor: the opening, which answers nobody, is none.

    Calls that nobody answered, because the person had said more before it came, count as ``void`` and nowhere else.
    ``beside``: calls that belong to no turn; ``within``: the share of turns with at most so many calls and round trips
    as we hold ourselves to; ``discounted``: prompt tokens, what repeats the beginning of an earlier turn's counted a
    tenth; ``repeated``: by kind of call, the share of its prompts' tokens that an earlier call had begun with.
    """

    messages: int
    turns: int
    calls: float
    void: float
    beside: int
    rounds: float
    within: float
    again: int
    prompt: float
    discounted: float
    repeated: Mapping[str, float]


def effort(record: Record) -> Effort:
    prompts = {call.number: _prompt(record, call) for call in record.calls}
    spans = [span.turn for span in record.spans if span.turn > OPENING]
    turns = [[call for call in record.calls if call.turn == turn and call.answered] for turn in spans]
    void = [sum(call.turn == turn and not call.answered for call in record.calls) for turn in spans]
    trips = [rounds(Counted(call.began, call.ended, (), 0) for call in calls) for calls in turns]
    earlier = [prompts[call.number] for call in record.calls if call.turn == OPENING]
    discounted = []
    for calls in turns:
        discounted.append(sum(tokens.discounted(prompts[call.number], earlier) for call in calls))
        earlier += [prompts[call.number] for call in calls]
    kept = [len(calls) <= MOST_CALLS and trip <= MOST_ROUNDS for calls, trip in zip(turns, trips, strict=True)]
    return Effort(
        messages=record.messages,
        turns=len(turns),
        calls=_mean([len(calls) for calls in turns]),
        void=_mean(void),
        beside=sum(call.turn == 0 for call in record.calls),
        rounds=_mean(trips),
        within=_mean([float(each) for each in kept]),
        again=sum(call.again for call in record.calls),
        prompt=_mean([sum(len(prompts[call.number]) for call in calls) for calls in turns]),
        discounted=_mean(discounted),
        repeated=_repeated(record.calls, prompts),
    )


def _repeated(calls: Sequence[Call], prompts: Mapping[int, Sequence[int]]) -> dict[str, float]:
    whole: dict[str, int] = defaultdict(int)
    same: dict[str, int] = defaultdict(int)
    earlier: list[Sequence[int]] = []
    for call in sorted(calls, key=lambda each: each.began):
        prompt, kind = prompts[call.number], call.kind or "?"
        whole[kind] += len(prompt)
        same[kind] += tokens.repeated(prompt, earlier)
        earlier.append(prompt)
    return {kind: same[kind] / whole[kind] for kind in sorted(whole, key=lambda kind: -whole[kind]) if whole[kind]}


def _prompt(record: Record, call: Call) -> Sequence[int]:
    asked: dict[str, Any] = json.loads(of_model(record.folder).question(call.number))
    return tokens.prompt(asked["messages"])


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
