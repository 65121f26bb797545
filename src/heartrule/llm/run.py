"""One task on its way to an answer: the only retry loop in the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from heartrule.engine.tasks import Answer, Attempt, Task
from heartrule.language.script import Script
from heartrule.llm.clock import Clock
from heartrule.llm.parsing import Parsed
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import Prompt, mend, render
from heartrule.llm.provider import NeverDegrade, ProviderError, Reply, Request, TimedOut
from heartrule.llm.reading import read
from heartrule.llm.routing import Route, Routes
from heartrule.prompts.template import TemplateError


@dataclass(frozen=True, slots=True)
class Means:
    """What every run has at hand."""

    routes: Routes
    policy: Policy
    clock: Clock
    random: Callable[[], float]
    prices: Prices


class Run:
    """One task on its way to an answer."""

    def __init__(self, means: Means, task: Task, until: float, script: Script | None, prompt: Prompt | None) -> None:
        self.task = task
        self._means = means
        self._until = until
        self._script = script
        self._prompt = prompt
        self._attempts: list[Attempt] = []
        self._way = means.routes.way(task)
        self._mended = False
        self._wait = 0.0

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        return tuple(self._attempts)

    async def answer(self) -> Answer:
        try:
            prompt = first = self._prompt or render(self.task, self._script)
        except TemplateError as error:
            self._attempts.append(Attempt(1, "error", f"template:{error}", code="template"))
            return self._failed("")
        for number in range(1, len(self._means.policy.waits) + 2):
            if not await self._may_start(number):
                break
            route = self._way.enter()
            if route is None:
                self._attempts.append(Attempt(number, "error", "breaker_open", code="breaker_open"))
                break
            reply = await self._call(route, prompt, number)
            if reply is None:
                if self._way.over:
                    break
                prompt = render(self.task, self._script, simplified=True)
                continue
            parsed = self._read(reply)
            if parsed.data is not None:
                return Answer(self.task.key, "answered", parsed.data, tuple(self._attempts), first.hash)
            if self._mended:
                break
            self._mended = True
            prompt = mend(self.task, prompt, reply.text, parsed.problem, self._script)
        return self._failed(first.hash)

    def given_up(self) -> Answer:
        """Nobody waits for this one any longer."""
        begun = self._attempts.pop() if self._attempts and self._attempts[-1].outcome == "cancelled" else None
        last = begun or Attempt(len(self._attempts) + 1, "timeout")
        self._attempts.append(replace(last, outcome="timeout", cause="not waited for", code="not_waited_for"))
        return self._failed(self._prompt.hash if self._prompt else "")

    def _failed(self, prompt_hash: str) -> Answer:
        return Answer(self.task.key, "failed", None, tuple(self._attempts), prompt_hash)

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

    async def _call(self, route: Route, prompt: Prompt, number: int) -> Reply | None:
        """One call. None when it failed; the attempt is recorded either way, and the next wait or route is set."""
        clock, policy = self._means.clock, self._means.policy
        started = clock.now()
        timeout = min(policy.deadline(self.task.role), self._until - started)
        request = Request(prompt.messages, prompt.schema, self.task.temperature, policy.max_tokens, timeout)
        reply: Reply | None = None
        verdict = route.breaker.left
        try:
            async with clock.within(timeout):
                reply = await route.provider.complete(request)
            verdict = route.breaker.succeeded
        except NeverDegrade:
            raise
        except asyncio.CancelledError:
            self._attempts.append(self._asked(route, Attempt(number, "cancelled", code="cancelled"), started))
            raise
        except (TimeoutError, TimedOut):
            if timeout * 2 >= policy.deadline(self.task.role):
                verdict = route.breaker.failed
            self._note(route, number, TimedOut(), started)
        except ProviderError as error:
            verdict = route.breaker.failed if error.blames else route.breaker.left
            self._note(route, number, error, started)
        except Exception as error:
            self._note(route, number, _Fault(type(error).__name__), started)
        else:
            self._heard(route, number, reply, started)
        finally:
            verdict()
        return reply

    def _asked(self, route: Route, attempt: Attempt, started: float, reply: Reply | None = None) -> Attempt:
        """The attempt with what is known of the call: who was asked, how long it took, what it used and cost."""
        name = route.provider.name
        attempt = replace(
            attempt,
            provider=name,
            model=(reply and reply.model) or name,
            seconds=self._means.clock.now() - started,
            fallback=self._way.is_stand_in(route),
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

    def _heard(self, route: Route, number: int, reply: Reply, started: float) -> None:
        self._attempts.append(self._asked(route, Attempt(number, "ok", raw=reply.text), started, reply))

    def _note(self, route: Route, number: int, error: ProviderError, started: float) -> None:
        outcome: Literal["timeout", "error"] = "timeout" if isinstance(error, TimedOut) else "error"
        made = Attempt(number, outcome, error.cause, code=_code(error))
        self._attempts.append(self._asked(route, made, started, error.spent))
        self._wait = 0.0
        if not error.again or (number >= _TRIES_BEFORE_NEXT and not self._way.alone):
            self._way.leave_out(route)
        elif number <= len(self._means.policy.waits) and not error.at_once:
            wait = self._means.policy.wait(number - 1, self._means.random())
            self._wait = wait if error.retry_after is None else max(wait, error.retry_after)

    def _read(self, reply: Reply) -> Parsed:
        """Judges the answer and completes its attempt's record."""
        parsed, code = read(reply, self.task)
        self._attempts[-1] = replace(
            self._attempts[-1],
            parse=parsed.tried,
            outcome="ok" if parsed.data is not None else "rejected",
            cause=f"dropped:{','.join(parsed.dropped)}" if parsed.dropped else parsed.problem,
            code=code,
        )
        return parsed


def _code(error: ProviderError) -> str:
    """The fault, with the status where there is one; what else a provider may have written stays out."""
    return f"{error.code}:{error.detail}" if error.detail.isascii() and error.detail.isdigit() else error.code


_TRIES_BEFORE_NEXT = 2
"""A provider that failed so often for one task makes way for the next one, if there is one."""


class _Fault(ProviderError):
    """A provider raised what it should not; asking it again is as likely to help as with a server's fault."""

    code = "fault"
