"""Tasks → answers: side by side, within a deadline, with the only retry loop in the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import random as any_number
from types import MappingProxyType
from typing import Literal

from heartrule.engine.tasks import Answer, Attempt, Role, Task
from heartrule.language.script import Script
from heartrule.llm.breaker import Breaker, BreakerRules
from heartrule.llm.clock import Clock, LoopClock
from heartrule.llm.parsing import Parsed, parse
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import Prompt, mend, render
from heartrule.llm.provider import NeverDegrade, Provider, ProviderError, Reply, Request, TimedOut
from heartrule.llm.tongue import in_tongue
from heartrule.prompts.template import TemplateError

DEADLINES: Mapping[Role, float] = MappingProxyType({"understand": 10.0, "generate": 15.0, "judge": 8.0})
"""Seconds a single call may take, by role."""
TURN_BUDGET = 20.0
"""Seconds all calls of a turn may take together, retries and waits included."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Times are in seconds. ``time_scale`` stretches deadlines for slow local models (or shrinks them in tests); waits
    between tries only ever shrink with it. ``least`` is the shortest time worth starting a call with."""

    deadlines: Mapping[Role, float] = field(default_factory=lambda: DEADLINES)
    turn_budget: float = TURN_BUDGET
    waits: tuple[float, ...] = (1.0, 2.0, 4.0)
    jitter: float = 0.25
    least: float = 0.25
    time_scale: float = 1.0
    max_tokens: int | None = 1500
    breaker: BreakerRules = field(default_factory=BreakerRules)

    def deadline(self, role: Role) -> float:
        return self.deadlines[role] * self.time_scale

    @property
    def budget(self) -> float:
        return self.turn_budget * self.time_scale

    def wait(self, retry: int, chance: float) -> float:
        """Before retry number ``retry`` (from 0), spread by up to ``jitter`` of itself either way."""
        return self.waits[retry] * min(1.0, self.time_scale) * (1 + self.jitter * (2 * chance - 1))


Listener = Callable[[Task, Attempt], None]
"""Is told of every attempt when its task is done with. It must neither raise nor wait."""


@dataclass(slots=True)
class _Route:
    provider: Provider
    breaker: Breaker


class Model:
    """What the driver asks. ``providers`` in order of preference; with none every answer is ``absent``."""

    def __init__(
        self,
        providers: Sequence[Provider] = (),
        rules: Rules | None = None,
        *,
        clock: Clock | None = None,
        random: Callable[[], float] = any_number,
        prices: Prices | None = None,
    ) -> None:
        self.rules = rules or Rules()
        self.prices = prices or Prices()
        self.listeners: list[Listener] = []
        self.clock: Clock = clock or LoopClock()
        self._random = random
        self._routes = [_Route(each, Breaker(self.clock.now, self.rules.breaker)) for each in providers]

    @property
    def configured(self) -> bool:
        return bool(self._routes)

    def deadline(self) -> float:
        """When a turn that starts now has used up its budget, on this model's clock."""
        return self.clock.now() + self.rules.budget

    async def answer(
        self,
        tasks: Sequence[Task],
        deadline: float | None = None,
        script: Script | None = None,
        prompts: Mapping[str, Prompt] | None = None,
        broken_off: dict[str, tuple[Attempt, ...]] | None = None,
    ) -> dict[str, Answer]:
        """Every task's answer, by key. ``deadline`` is absolute, on ``self.clock``; ``script`` brings its templates;
        ``prompts``, by key, are those that the caller has rendered already. Into ``broken_off`` goes what had been
        tried for each task when this was cancelled.

        Never raises for what a provider or a model does: such a task's answer is ``failed`` and says why.
        """
        if not self._routes:
            return {task.key: Answer(task.key, "absent") for task in tasks}
        until = self.deadline() if deadline is None else deadline
        runs = [_Run(self, task, until, script, (prompts or {}).get(task.key)) for task in tasks]
        try:
            return await self._side_by_side(runs)
        except asyncio.CancelledError:
            if broken_off is not None:
                broken_off.update({run.task.key: run.attempts for run in runs})
            raise
        finally:
            for listener in self.listeners:
                for run in runs:
                    for attempt in run.attempts:
                        listener(run.task, attempt)

    async def _side_by_side(self, runs: Sequence[_Run]) -> dict[str, Answer]:
        if len(runs) == 1 and runs[0].task.seconds is None:
            return {runs[0].task.key: await runs[0].answer()}
        running = {run: asyncio.ensure_future(run.answer()) for run in runs}
        try:
            await asyncio.gather(*(call for run, call in running.items() if run.task.seconds is None))
            return {run.task.key: await self._held(run, call) for run, call in running.items()}
        finally:
            for call in running.values():
                call.cancel()
            await asyncio.gather(*running.values(), return_exceptions=True)

    async def _held(self, run: _Run, call: asyncio.Future[Answer]) -> Answer:
        """The answer, waited for as long as its task says now that the others are there."""
        if call.done() or run.task.seconds is None:
            return await call
        try:
            async with self.clock.within(run.task.seconds * self.rules.time_scale):
                return await call
        except TimeoutError:
            return run.given_up()

    async def aclose(self) -> None:
        for route in self._routes:
            await route.provider.aclose()


class _Run:
    """One task on its way to an answer."""

    def __init__(self, model: Model, task: Task, until: float, script: Script | None, prompt: Prompt | None) -> None:
        self.task = task
        self._model = model
        self._until = until
        self._script = script
        self._prompt = prompt
        self._attempts: list[Attempt] = []
        self._routes = list(model._routes)
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
        for number in range(1, len(self._model.rules.waits) + 2):
            if not await self._may_start(number):
                break
            route = self._enter()
            if route is None:
                self._attempts.append(Attempt(number, "error", "breaker_open", code="breaker_open"))
                break
            reply = await self._call(route, prompt, number)
            if reply is None:
                if not self._routes:
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
        clock, rules = self._model.clock, self._model.rules
        if clock.now() + self._wait + rules.least * min(1.0, rules.time_scale) > self._until:
            self._attempts.append(Attempt(number, "timeout", "budget", code="budget"))
            return False
        if self._wait:
            await clock.sleep(self._wait)
            self._wait = 0.0
        return True

    def _enter(self) -> _Route | None:
        return next((route for route in self._routes if route.breaker.enter()), None)

    async def _call(self, route: _Route, prompt: Prompt, number: int) -> Reply | None:
        """One call. None when it failed; the attempt is recorded either way, and the next wait or route is set."""
        clock, rules = self._model.clock, self._model.rules
        started = clock.now()
        timeout = min(rules.deadline(self.task.role), self._until - started)
        request = Request(prompt.messages, prompt.schema, self.task.temperature, rules.max_tokens, timeout)
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
            if timeout * 2 >= rules.deadline(self.task.role):
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

    def _asked(self, route: _Route, attempt: Attempt, started: float, reply: Reply | None = None) -> Attempt:
        """The attempt with what is known of the call: who was asked, how long it took, what it used and cost."""
        name = route.provider.name
        attempt = replace(
            attempt,
            provider=name,
            model=(reply and reply.model) or name,
            seconds=self._model.clock.now() - started,
            fallback=route is not self._model._routes[0],
        )
        if reply is None:
            return attempt
        price = self._model.prices.of(name, reply.model)
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

    def _heard(self, route: _Route, number: int, reply: Reply, started: float) -> None:
        self._attempts.append(self._asked(route, Attempt(number, "ok", raw=reply.text), started, reply))

    def _note(self, route: _Route, number: int, error: ProviderError, started: float) -> None:
        outcome: Literal["timeout", "error"] = "timeout" if isinstance(error, TimedOut) else "error"
        made = Attempt(number, outcome, error.cause, code=_code(error))
        self._attempts.append(self._asked(route, made, started, error.spent))
        self._wait = 0.0
        if not error.again or (number >= _TRIES_BEFORE_NEXT and len(self._routes) > 1):
            self._routes.remove(route)
        elif number <= len(self._model.rules.waits) and not error.at_once:
            wait = self._model.rules.wait(number - 1, self._model._random())
            self._wait = wait if error.retry_after is None else max(wait, error.retry_after)

    def _read(self, reply: Reply) -> Parsed:
        """Judges the answer and completes its attempt's record."""
        parsed, code = _judged(parse(reply.text, self.task.schema, self.task.required), reply, self.task)
        self._attempts[-1] = replace(
            self._attempts[-1],
            parse=parsed.tried,
            outcome="ok" if parsed.data is not None else "rejected",
            cause=f"dropped:{','.join(parsed.dropped)}" if parsed.dropped else parsed.problem,
            code=code,
        )
        return parsed


def _judged(parsed: Parsed, reply: Reply, task: Task) -> tuple[Parsed, str]:
    """An answer that cannot be used is none, and why in a word that quotes nothing."""
    if parsed.data is None:
        return parsed, "missing" if parsed.problem.startswith("missing") else "not_json"
    content = parsed.data.get("content")
    if reply.finish == "length" and parsed.strategy == "repaired":
        return replace(parsed, data=None, problem="cut off at the token limit"), "cut_off"
    if isinstance(content, str) and len(content) > SAYABLE:
        return replace(parsed, data=None, problem=f"`content` has more than {SAYABLE} characters"), "too_long"
    if not in_tongue(content, task.context):
        return replace(parsed, data=None, problem=f"`content` must be written in {task.context.locale}"), "language"
    return parsed, "dropped" if parsed.dropped else ""


def _code(error: ProviderError) -> str:
    """The fault, with the status where there is one; what else a provider may have written stays out."""
    return f"{error.code}:{error.detail}" if error.detail.isascii() and error.detail.isdigit() else error.code


SAYABLE = 4_000
"""Characters beyond which nothing is meant to be said to a person: such an answer has run away."""
_TRIES_BEFORE_NEXT = 2
"""A provider that failed so often for one task makes way for the next one, if there is one."""


class _Fault(ProviderError):
    """A provider raised what it should not; asking it again is as likely to help as with a server's fault."""

    code = "fault"
