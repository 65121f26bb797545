"""What any provider must do. Subclass ``Conformance`` and say how to make one that meets each situation.

A provider of another package passes by doing the same:

    class TestMine(Conformance):
        async def run(self, situation, use): ...
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Literal

import pytest
from tests.llm.material import CONTENT

from heartrule.llm import provider as p

SECRET = "一句只属于来访者的话"
KEY = "sk-test-very-secret"
REQUEST = p.Request(
    messages=(p.PromptMessage("system", "你是咨询师，输出 JSON。"), p.PromptMessage("user", SECRET)),
    schema=CONTENT,
    temperature=0.2,
    max_tokens=300,
    timeout=10.0,
)
IMPATIENT = replace(REQUEST, timeout=0.3)
SAID = '{"content":"听起来这几天很累。"}'

Situation = Literal[
    "good",
    "refused",
    "rate_limited",
    "server_error",
    "bad_request",
    "unauthorised",
    "cut",
    "empty",
    "filtered",
    "stalled",
]
Use = Callable[[p.Provider], Awaitable[None]]


class Conformance:
    """Situations an implementation cannot be brought into are left out through ``situations``."""

    situations: frozenset[Situation] = frozenset(
        {
            *("good", "refused", "rate_limited", "server_error", "bad_request", "unauthorised"),
            *("cut", "empty", "filtered", "stalled"),
        }
    )

    @abstractmethod
    async def run(self, situation: Situation, use: Use) -> None:
        """Set the situation up, give ``use`` a provider in it, and clear away."""

    def meet(self, situation: Situation, use: Use) -> None:
        if situation not in self.situations:
            pytest.skip(f"cannot be brought about: {situation}")
        asyncio.run(self.run(situation, use))

    def raised(self, situation: Situation, heard: p.Heard | None = None) -> p.ProviderError:
        found: list[p.ProviderError] = []

        async def use(provider: p.Provider) -> None:
            with pytest.raises(p.ProviderError) as caught:
                await provider.complete(IMPATIENT if situation == "stalled" else REQUEST, heard)
            found.append(caught.value)

        self.meet(situation, use)
        return found[0]

    def test_a_good_answer_comes_back_whole(self) -> None:
        async def use(provider: p.Provider) -> None:
            reply = await provider.complete(REQUEST)
            assert reply.text == SAID
            assert reply.finish == "stop"
            assert reply.model
            assert all(n is None or n >= 0 for n in (reply.tokens_in, reply.tokens_out, reply.cached))

        self.meet("good", use)

    def test_what_is_heard_is_the_answer(self) -> None:
        """All of it or, where a provider cannot tell it as it comes, nothing."""

        async def use(provider: p.Provider) -> None:
            pieces: list[str] = []
            reply = await provider.complete(REQUEST, pieces.append)
            assert reply.text == SAID
            assert "".join(pieces) in (SAID, "")
            assert reply.first_token is None or reply.first_token >= 0

        self.meet("good", use)

    def test_calls_may_be_made_side_by_side_and_again(self) -> None:
        async def use(provider: p.Provider) -> None:
            replies = await asyncio.gather(*(provider.complete(REQUEST) for _ in range(5)))
            assert {reply.text for reply in replies} == {SAID}
            heard: list[list[str]] = [[] for _ in range(5)]
            await asyncio.gather(*(provider.complete(REQUEST, each.append) for each in heard))
            assert {"".join(each) for each in heard} in ({SAID}, {""})
            assert (await provider.complete(REQUEST)).text == SAID

        self.meet("good", use)

    def test_it_has_a_name_without_secrets(self) -> None:
        async def use(provider: p.Provider) -> None:
            assert provider.name
            assert KEY not in provider.name
            assert KEY not in repr(provider)

        self.meet("good", use)

    def test_it_can_be_closed_twice(self) -> None:
        async def use(provider: p.Provider) -> None:
            await provider.complete(REQUEST)
            await provider.aclose()
            await provider.aclose()

        self.meet("good", use)

    @pytest.mark.parametrize(
        ("situation", "kind", "again"),
        [
            ("refused", p.Refused, True),
            ("rate_limited", p.RateLimited, True),
            ("server_error", p.ServerError, True),
            ("bad_request", p.BadRequest, False),
            ("unauthorised", p.Unauthorised, False),
            ("cut", p.Cut, True),
            ("empty", p.Empty, True),
            ("filtered", p.Filtered, False),
            ("stalled", p.TimedOut, True),
        ],
    )
    def test_every_fault_has_its_error(self, situation: Situation, kind: type[p.ProviderError], again: bool) -> None:
        error = self.raised(situation)
        assert type(error) is kind
        assert error.again is again
        pieces: list[str] = []
        error = self.raised(situation, pieces.append)
        assert type(error) is kind
        assert error.again is again
        assert situation == "filtered" or SAID.startswith("".join(pieces))

    @pytest.mark.parametrize("situation", ["rate_limited", "server_error", "bad_request", "unauthorised", "filtered"])
    def test_errors_say_nothing_of_what_was_said(self, situation: Situation) -> None:
        error = self.raised(situation)
        told = f"{error} {error!r} {error.cause}"
        assert SECRET not in told
        assert KEY not in told

    def test_a_rate_limit_says_how_long(self) -> None:
        assert self.raised("rate_limited").retry_after == pytest.approx(7, abs=1.5)

    @pytest.mark.parametrize("heard", [None, lambda piece: None])
    def test_a_cancelled_call_leaves_the_provider_usable(self, heard: p.Heard | None) -> None:
        async def use(provider: p.Provider) -> None:
            call = asyncio.ensure_future(provider.complete(REQUEST, heard))
            await asyncio.sleep(0.05)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            with pytest.raises(p.TimedOut):
                await provider.complete(IMPATIENT, heard)

        self.meet("stalled", use)
