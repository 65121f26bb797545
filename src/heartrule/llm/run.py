"""One task on its way to an answer: the only retry loop in the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from heartrule.checks.checks import Checks
from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.language.compiling.script import Script
from heartrule.llm.answer_check import UNUSABLE, read
from heartrule.llm.budget import stage
from heartrule.llm.clock import Clock
from heartrule.llm.expected_usage import estimated_tokens
from heartrule.llm.model_choice import Costs
from heartrule.llm.parsing import ParsedAnswer
from heartrule.llm.policy import Policy, Tier
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import REST, Prompt, go_on, mend, render
from heartrule.llm.provider import NeverDegrade, ProviderError, Reply, Request, TimedOut
from heartrule.llm.routing import Permit, Routes
from heartrule.llm.streamed_reply import StreamedReply, gone_on
from heartrule.llm.turn_budget import TurnBudget
from heartrule.prompts.template import TemplateError


@dataclass(frozen=True, slots=True)
class RunContext:
    """What every run has at hand."""

    routes: Routes
    policy: Policy
    clock: Clock
    random: Callable[[], float]
    prices: Prices
    stay: str = ""
    """What stays with one model, as far as it can: a session."""
    turn_budget: TurnBudget | None = None


class Run:
    """One task on its way to an answer."""

    def __init__(
        self,
        means: RunContext,
        task: Task,
        until: float,
        script: Script | None,
        prompt: Prompt | None,
        streamed: StreamedReply | None = None,
        tier: Tier | None = None,
        forgone: bool = False,
    ) -> None:
        self.task = task
        self.streamed = streamed
        self._means = means
        self._checks: Checks | None = script.checks if script else None
        self._until = until
        self._script = script
        self._prompt = prompt
        self._attempts: list[Attempt] = []
        self._route = means.routes.route(task, means.stay, means.policy, tier)
        self._forgone = forgone
        self._mended = False
        self._form: Literal["first", "simplified", "mended", "continued"] = "first"
        self._silenced: Mapping[str, Any] | None = None
        self._wait = 0.0
        self._stopped = False
        self._working: asyncio.Task[Any] | None = None

    @property
    def words(self) -> bool:
        """Whether it writes something that a person reads, or looks that through."""
        return "content" in self.task.schema.get("properties", {}) or self.task.template == "review"

    def stop(self) -> None:
        """Nobody waits for more of it: the answer is what was shown of it by now."""
        self._stopped = True
        if self.streamed is not None:
            self.streamed.stop()
        if self._working is not None:
            self._working.cancel()

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        return tuple(self._attempts)

    @property
    def prompt_hash(self) -> str:
        return self._prompt.hash if self._prompt else ""

    async def answer(self) -> Answer:
        """To be awaited in a task of its own, which ``stop`` interrupts."""
        self._working = asyncio.current_task()
        try:
            return self._forgo() if self._forgone else await self._tries()
        except asyncio.CancelledError:
            if not self._stopped or self._working is None:
                raise
            self._working.uncancel()
            return self._end()
        except TemplateError as error:
            self._attempts.append(Attempt(len(self._attempts) + 1, "error", f"template:{error}", code="template"))
            return self._end()
        finally:
            self._working = None
            if self._means.turn_budget is not None:
                self._means.turn_budget.release(self.task.key)

    async def _tries(self) -> Answer:
        prompt = first = self._prompt = self._prompt or render(self.task, self._script)
        self._route.size(sum(len(each.text) for each in first.messages), estimated_tokens(first.messages))
        for number in range(1, self._means.policy.retries(self.task) + 2):
            if self._stopped or not await self._may_start(number):
                break
            spoken = self._latched
            if spoken is not None:
                prompt = go_on(self.task, first, spoken.head or {}, spoken.released, self._script)
                self._form = "continued"
            begun = self._means.clock.now()
            permit = await self._permit(prompt, number)
            if permit is None:
                break
            reply = await self._call(permit, prompt, number, begun)
            if reply is None:
                objected = self.streamed is not None and self.streamed.objection is not None
                if self._route.over or (self._latched is not None and (self._mended or objected)):
                    break
                prompt = self._next(prompt, first)
                continue
            parsed = self._read(reply, spoken)
            if parsed.data is not None:
                permit.was_of_use()
                return self._answered(self._whole(parsed.data, spoken))
            other = self._route.rejected(permit)
            if other is None or (self._mended and self._latched is not None):
                break
            self._mended = True
            prompt = first if other else mend(self.task, prompt, reply.text, parsed.problem, self._script)
            self._form = "first" if other else "mended"
        return self._end()

    @property
    def _latched(self) -> StreamedReply | None:
        """The streamed reply, once words of it have been shown."""
        return self.streamed if self.streamed is not None and self.streamed.latched else None

    def _next(self, prompt: Prompt, first: Prompt) -> Prompt:
        """What is asked after a call that failed: less, or, where words of the answer may not be shown, others."""
        objection = self.streamed.objection if self.streamed is not None else None
        if self.streamed is None or objection is None or self._mended:
            self._form = "simplified"
            return render(self.task, self._script, simplified=True)
        self._mended, self._form = True, "mended"
        return mend(self.task, first, self.streamed.raw, objection.reason, self._script)

    def _answered(self, data: Mapping[str, Any]) -> Answer:
        return Answer(self.task.key, "answered", data, tuple(self._attempts), self.prompt_hash)

    def _whole(self, data: Mapping[str, Any], spoken: StreamedReply | None) -> Mapping[str, Any]:
        """The answer with what has been acted upon and shown as it was: the words of a later call go on from those."""
        streamed = self._latched
        if streamed is None:
            return data
        content = str(data.get("content", "")).lstrip() if spoken is None else str(data.get("content", ""))
        if spoken is not None:
            content = gone_on(streamed.released, content)
        elif not content.startswith(streamed.released):
            content = streamed.released
        return {**data, **(streamed.head or {}), "content": content}

    def _end(self) -> Answer:
        """Nothing more will come: what was shown stands, or what was decided before words that may not be shown."""
        streamed = self.streamed
        if streamed is not None and streamed.latched:
            return self._answered({**(streamed.head or {}), "content": streamed.released})
        if self._silenced is not None:
            return self._answered(self._silenced)
        return Answer(self.task.key, "failed", None, tuple(self._attempts), self.prompt_hash)

    def _forgo(self) -> Answer:
        """It is not asked at all: the turn has no money or no time for it."""
        self._attempts.append(Attempt(1, "error", GIVEN_UP, code=GIVEN_UP))
        if self._latched is not None:
            return self._end()
        return Answer(self.task.key, "failed", None, tuple(self._attempts), self.prompt_hash)

    def given_up(self) -> Answer:
        """Nobody waits for this one any longer."""
        begun = self._attempts.pop() if self._attempts and self._attempts[-1].outcome == "cancelled" else None
        last = begun or Attempt(len(self._attempts) + 1, "timeout")
        self._attempts.append(replace(last, outcome="timeout", cause="not waited for", code="not_waited_for"))
        return Answer(self.task.key, "failed", None, tuple(self._attempts), self.prompt_hash)

    async def _may_start(self, number: int) -> bool:
        """Waits as long as the last failure asked, if there is time for that and for a call after it."""
        clock, policy = self._means.clock, self._means.policy
        if clock.now() + self._wait + policy.least * min(1.0, policy.time_scale) > self._until:
            self._attempts.append(Attempt(number, "timeout", "budget", code="budget"))
            return False
        if self._wait:
            await clock.sleep(self._wait)
            self._wait = 0.0
        return True

    async def _permit(self, prompt: Prompt, number: int) -> Permit | None:
        """Whom to ask now: one that is free, within what the turn may cost. The attempt says why there is none."""
        policy, clock = self._means.policy, self._means.clock
        least = policy.least * min(1.0, policy.time_scale)
        until = min(self._until, clock.now() + policy.seconds(self.task)) - least
        while not self._route.over:
            permit = await self._route.take(until)
            if permit is None:
                code = "busy" if self._route.busy else "breaker_open"
                self._attempts.append(Attempt(number, "error", code, code=code))
                return None
            if self._afford(permit, prompt):
                return permit
            permit.left()
            self._route.leave_out(permit)
        self._attempts.append(Attempt(number, "error", GIVEN_UP, code=GIVEN_UP))
        return None

    def _afford(self, permit: Permit, prompt: Prompt) -> bool:
        """Whether the turn has the money for this call; if so, it is put aside."""
        turn_budget, policy = self._means.turn_budget, self._means.policy
        if turn_budget is None:
            return True
        costs = Costs(self._means.prices, turn_budget.budget.currency)
        cost = costs.most(permit.upstream, self.task, prompt, policy)
        return turn_budget.take(self.task.key, cost, always=stage(self.task) is None)

    async def _call(self, permit: Permit, prompt: Prompt, number: int, begun: float) -> Reply | None:
        """One call. None when it failed; the attempt is recorded either way, and the next wait or route is set. The
        time since it had ``begun`` to wait for its turn counts."""
        clock, policy, offer = self._means.clock, self._means.policy, permit.upstream.offer
        started = clock.now()
        allowed = offer.seconds(self.task.role, policy.seconds(self.task), policy.time_scale)
        timeout = max(min(allowed - (started - begun), self._until - started), 0.001)
        warmth, tokens = offer.warmth(policy.temperature(self.task)), offer.tokens(policy.tokens(self.task))
        request = Request(prompt.messages, prompt.schema, warmth, tokens, timeout)
        reply: Reply | None = None
        verdict = permit.left
        try:
            async with clock.within(timeout):
                reply = await self._complete(permit, request)
            verdict = permit.succeeded
            permit.upstream.typical.note(
                self.task.template, clock.now() - started, reply, estimated_tokens(prompt.messages)
            )
        except NeverDegrade:
            raise
        except _Halted:
            self._halted(permit, number, started)
        except asyncio.CancelledError:
            why = "stopped" if self._stopped else "cancelled"
            self._attempts.append(self._asked(permit, Attempt(number, "cancelled", code=why), started))
            raise
        except (TimeoutError, TimedOut) as error:
            if timeout * 2 >= allowed:
                verdict = permit.failed
            self._note(permit, number, error if isinstance(error, TimedOut) else TimedOut(), started)
        except ProviderError as error:
            verdict = permit.failed if error.blames else permit.left
            if not error.blames and not error.at_once:
                permit.was_no_use()
            self._note(permit, number, error, started)
        except Exception as error:
            self._note(permit, number, _Fault(type(error).__name__), started)
        else:
            self._heard(permit, number, reply, started)
        finally:
            verdict()
            self._settle(number)
        return reply

    def _settle(self, number: int) -> None:
        turn_budget = self._means.turn_budget
        if turn_budget is not None and self._attempts and self._attempts[-1].number == number:
            turn_budget.settle(self.task.key, self._attempts[-1])

    async def _complete(self, permit: Permit, request: Request) -> Reply:
        """The call; of a streamed reply that may still begin, it is listened to while it goes on."""
        streamed = self.streamed
        heard = streamed.hear if streamed is not None and streamed.listens and not streamed.latched else None
        if streamed is not None and not streamed.latched:
            streamed.begin()
        if streamed is None or (heard is None and not streamed.halted.is_set()):  # nothing can break it off
            return await permit.provider.complete(request)
        call = asyncio.ensure_future(permit.provider.complete(request, heard))
        halted = asyncio.ensure_future(streamed.halted.wait())
        try:
            await asyncio.wait((call, halted), return_when=asyncio.FIRST_COMPLETED)
            if not call.done():
                raise _Halted
            return call.result()
        finally:
            for each in (call, halted):
                each.cancel()
            await asyncio.gather(call, halted, return_exceptions=True)

    def _halted(self, permit: Permit, number: int, started: float) -> None:
        """The words may not be shown: the call was broken off."""
        streamed = self.streamed
        assert streamed is not None
        assert streamed.objection is not None
        code = streamed.objection.code
        if streamed.head is not None and not streamed.latched and code not in UNUSABLE:
            self._silenced = {**streamed.head, "content": ""}
        code = code if code in UNUSABLE else f"check:{code}"
        made = Attempt(number, "rejected", streamed.objection.reason, streamed.raw, code=code)
        self._route.rejected(permit)
        self._attempts.append(self._asked(permit, made, started))

    def _asked(self, permit: Permit, attempt: Attempt, started: float, reply: Reply | None = None) -> Attempt:
        """The attempt with what is known of the call: who was asked, how long it took, what it used and cost."""
        name = permit.provider.name
        attempt = replace(
            attempt,
            provider=name,
            model=(reply and reply.model) or name,
            seconds=self._means.clock.now() - started,
            began=started,
            fallback=self._route.is_stand_in(permit),
            form=self._form,
        )
        if reply is None:
            return attempt
        price = self._means.prices.of(name, reply.model)
        return replace(
            attempt,
            tokens_in=reply.tokens_in,
            cached=reply.cached,
            tokens_out=reply.tokens_out,
            reasoning=reply.reasoning,
            finish=reply.finish,
            first_token=reply.first_token,
            cost=price.cost(reply.tokens_in, reply.cached, reply.tokens_out) if price else None,
            currency=price.currency if price else None,
        )

    def _heard(self, permit: Permit, number: int, reply: Reply, started: float) -> None:
        self._attempts.append(self._asked(permit, Attempt(number, "ok", raw=reply.text), started, reply))

    def _note(self, permit: Permit, number: int, error: ProviderError, started: float) -> None:
        outcome: Literal["timeout", "error"] = "timeout" if isinstance(error, TimedOut) else "error"
        made = Attempt(number, outcome, error.cause, code=_code(error))
        self._attempts.append(self._asked(permit, made, started, error.spent))
        self._wait = 0.0
        enough = number >= _TRIES_BEFORE_NEXT or outcome == "timeout"
        if not error.again or (enough and not self._route.alone):
            self._route.leave_out(permit)
        elif number <= len(self._means.policy.waits) and not error.at_once:
            wait = self._means.policy.wait(number - 1, self._means.random())
            self._wait = wait if error.retry_after is None else max(wait, error.retry_after)

    def _read(self, reply: Reply, spoken: StreamedReply | None) -> ParsedAnswer:
        """Judges the answer and completes its attempt's record."""
        parsed, code = (
            read(reply, self.task, self._checks)
            if spoken is None
            else read(reply, _rest_of(self.task), self._checks, spoken.released)
        )
        if code.startswith("check:") and parsed.data is not None:
            self._silenced = {**parsed.data, "content": ""}
            parsed = replace(parsed, data=None)
        self._attempts[-1] = replace(
            self._attempts[-1],
            parse=parsed.tried,
            outcome="ok" if parsed.data is not None else "rejected",
            cause=f"dropped:{','.join(parsed.dropped)}" if parsed.dropped else parsed.problem,
            code=code,
        )
        return parsed


def _rest_of(task: Task) -> Task:
    """What is asked when the words of an answer broke off."""
    return replace(task, schema=REST, required=("content",))


def _code(error: ProviderError) -> str:
    """The fault, with the status where there is one; what else a provider may have written stays out."""
    return f"{error.code}:{error.detail}" if error.detail.isascii() and error.detail.isdigit() else error.code


GIVEN_UP = "given_up"
"""Of an attempt that was not made because the turn had no money or no time for it."""

_TRIES_BEFORE_NEXT = 2
"""A provider that failed so often for one task makes way for the next one, if there is one; at once when it took all
the time it had: there is not enough to take it twice."""


class _Halted(Exception):
    """The call was broken off by ourselves."""


class _Fault(ProviderError):
    """A provider raised what it should not; asking it again is as likely to help as with a server's fault."""

    code = "fault"
