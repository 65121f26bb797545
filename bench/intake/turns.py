"""What was asked of the model in each turn: how many calls, how many round-trips of waiting, how many tokens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from bench.intake import tokens


@dataclass(frozen=True, slots=True)
class Call:
    """Times are seconds on the clock that all processes of the machine share."""

    began: float
    ended: float
    prompt: Sequence[int]
    output: int

    @classmethod
    def told(cls, told: Mapping[str, Any]) -> Call:
        return cls(told["began"], told["ended"], tokens.prompt(told["messages"]), tokens.count(told["answer"]))


@dataclass(frozen=True, slots=True)
class Turn:
    """``seconds`` as whoever spoke had to wait; ``discounted``: prompt tokens, with those that repeat the beginning of
    an earlier turn's call counted a tenth."""

    calls: int
    rounds: int
    prompt: int
    discounted: float
    output: int
    seconds: float


def rounds(calls: Iterable[Call]) -> int:
    """How often somebody had to wait for the model in a row: a call that begins after another has ended waits again."""
    depths: list[tuple[float, int]] = []
    for call in sorted(calls, key=lambda each: each.began):
        depths.append((call.ended, 1 + max((depth for ended, depth in depths if ended <= call.began), default=0)))
    return max((depth for _, depth in depths), default=0)


def turns(told: Iterable[Mapping[str, Any]], spans: Sequence[tuple[float, float]]) -> list[Turn]:
    """One conversation's turns. ``spans`` are their beginnings and ends; a call belongs to the turn it began in."""
    calls, found = [Call.told(each) for each in told], []
    earlier: list[Sequence[int]] = []
    for number, (began, ended) in enumerate(spans):
        until = spans[number + 1][0] if number + 1 < len(spans) else float("inf")
        own = [call for call in calls if began <= call.began < until]
        found.append(
            Turn(
                calls=len(own),
                rounds=rounds(own),
                prompt=sum(len(call.prompt) for call in own),
                discounted=sum(tokens.discounted(call.prompt, earlier) for call in own),
                output=sum(call.output for call in own),
                seconds=ended - began,
            )
        )
        earlier += [call.prompt for call in own]
    return found


@dataclass(frozen=True, slots=True)
class Sums:
    """Over the turns of some conversations: means a turn, and the most of any."""

    calls: float
    most_calls: int
    most_rounds: int
    prompt: float
    most_prompt: int
    discounted: float
    output: float

    @classmethod
    def of(cls, made: Sequence[Turn]) -> Sums:
        return cls(
            calls=mean(turn.calls for turn in made),
            most_calls=max(turn.calls for turn in made),
            most_rounds=max(turn.rounds for turn in made),
            prompt=mean(turn.prompt for turn in made),
            most_prompt=max(turn.prompt for turn in made),
            discounted=mean(turn.discounted for turn in made),
            output=mean(turn.output for turn in made),
        )
