"""Two and three models, one of them ill: who answers, how long it takes, and that the ill one is found well again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from tests.llm.material import GOOD, script, task

from heartrule.engine.session.tasks import Answer
from heartrule.language.nodes import Llm
from heartrule.llm import provider as p
from heartrule.llm.breaker import BreakerRules
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.providers.scripted import Answerer, Said, ScriptedProvider, Stall
from heartrule.llm.upstream import Offer
from heartrule.testing.models import in_virtual_time

STEADY = Policy(jitter=0.0)
RISK = task("risk", role="judge", required=())


class Ill:
    """Answers until it falls ill, and again when it is well."""

    def __init__(self, fault: Said) -> None:
        self.fault: Said | None = None
        self._fault = fault

    def fall(self) -> None:
        self.fault = self._fault

    def recover(self) -> None:
        self.fault = None

    def __call__(self, _: p.Request) -> Said:
        return GOOD if self.fault is None else self.fault


def scripted(name: str, said: Answerer | Sequence[Said] | None = None) -> ScriptedProvider:
    return ScriptedProvider((lambda _: GOOD) if said is None else said, name=f"{name}/m")


def who(answer: Answer) -> list[str]:
    return [attempt.provider.partition("/")[0] for attempt in answer.attempts]


@pytest.mark.parametrize("fault", [p.Refused(), p.ServerError("503"), p.RateLimited(), p.Cut(), Stall()], ids=repr)
@pytest.mark.parametrize("others", [1, 2])
def test_one_dies_and_comes_back(fault: Said, others: int) -> None:
    async def run() -> None:
        ill = Ill(fault)
        providers = [scripted("a", ill), *(scripted(name) for name in "bc"[:others])]
        model = Model(providers, Policy(jitter=0.0, breaker=BreakerRules(failures=4, rest=10)))

        async def turn() -> Answer:
            return (await model.answer([task()]))["ai_ask"]

        assert who(await turn()) == ["a"]
        ill.fall()
        for _ in range(4 if isinstance(fault, Stall) else 2):
            answer = await turn()
            tried = ["a"] if isinstance(fault, Stall) else ["a", "a"]
            assert (answer.status, who(answer)) == ("answered", [*tried, "b"])
            assert answer.attempts[-1].fallback
        began = model.clock.now()
        assert who(await turn()) == ["b"], "its breaker is open"
        assert model.clock.now() - began < 0.01
        ill.recover()
        await asyncio.sleep(61)
        assert who(await turn()) == ["a"]

    in_virtual_time(run())


def test_while_it_is_half_open_exactly_one_call_tries_it() -> None:
    async def run() -> Counter[str]:
        ill = Ill(p.Refused())
        slow = scripted("a", lambda request: Stall(2.0, GOOD) if ill.fault is None else ill(request))
        model = Model([slow, scripted("b")], Policy(jitter=0.0, breaker=BreakerRules(failures=1, rest=10)))
        ill.fall()
        await model.answer([task()])
        ill.recover()
        await asyncio.sleep(10.0)
        answers = await asyncio.gather(*(model.answer([task()]) for _ in range(20)))
        return Counter(name for answer in answers for name in who(answer["ai_ask"]))

    assert in_virtual_time(run()) == {"a": 1, "b": 19}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_when_all_are_down_answers_come_within_a_second(number: int) -> None:
    async def run() -> list[float]:
        model = Model([scripted(name, lambda _: p.Refused()) for name in "abc"[:number]], STEADY)
        took = []
        for _ in range(12):
            began = model.clock.now()
            answer = (await model.answer([task()]))["ai_ask"]
            took.append(model.clock.now() - began)
            assert answer.status == "failed"
        assert answer.attempts[-1].code == "breaker_open"
        return took

    took = in_virtual_time(run())
    assert took[-1] <= 1.0
    assert max(took) <= STEADY.budget


def test_an_answer_rejected_twice_goes_to_another() -> None:
    async def run() -> tuple[Answer, ScriptedProvider]:
        other = scripted("b")
        model = Model([scripted("a", lambda _: "no JSON"), other], STEADY)
        return (await model.answer([task()]))["ai_ask"], other

    answer, other = in_virtual_time(run())
    assert (answer.status, who(answer)) == ("answered", ["a", "a", "b"])
    assert [attempt.outcome for attempt in answer.attempts] == ["rejected", "rejected", "ok"]
    assert "no JSON" not in "".join(message.text for message in other.requests[0].messages), "it begins afresh"


def test_a_rejected_answer_takes_the_next_higher_tier() -> None:
    async def run() -> Answer:
        small = Offer(scripted("small", lambda _: "no JSON"), tiers=("fast",))
        model = Model([small, Offer(scripted("large"), tiers=("quality",))], STEADY)
        return (await model.answer([RISK]))["risk"]

    answer = in_virtual_time(run())
    assert (answer.status, who(answer)) == ("answered", ["small", "large"])


def test_a_very_long_prompt_goes_to_a_more_able_model_that_can_read_it() -> None:
    async def asked(text: str, context: int | None) -> list[str]:
        offers = [
            Offer(scripted("small"), tiers=("fast",), context=8000),
            Offer(scripted("middle"), tiers=("balanced",), context=context),
            Offer(scripted("large"), tiers=("quality",)),
        ]
        long = replace(RISK, values={**RISK.values, "questions": text})
        return who((await Model(offers, STEADY).answer([long]))["risk"])

    assert in_virtual_time(asked("1. q", None)) == ["small"]
    assert in_virtual_time(asked("长" * 30_000, None)) == ["middle"]
    assert in_virtual_time(asked("长" * 30_000, 20_000)) == ["large"]
    assert in_virtual_time(asked("长" * 9_000, None)) == ["middle"], "the small one could not read it to the end"


def test_a_session_stays_and_sessions_are_shared_out() -> None:
    async def run() -> Counter[str]:
        offers = [Offer(scripted("a"), weight=1), Offer(scripted("b"), weight=3)]
        model = Model(offers, STEADY, random=Random(7).random)
        asked: Counter[str] = Counter()
        for session in range(400):
            names = {who((await model.answer([task()], stay=str(session)))["ai_ask"])[0] for _ in range(3)}
            assert len(names) == 1
            asked.update(names)
        return asked

    asked = in_virtual_time(run())
    assert asked["b"] / 400 == pytest.approx(0.75, abs=0.065), "three standard deviations"


def test_side_by_side_calls_wait_for_their_turn_and_danger_goes_first() -> None:
    async def run() -> tuple[list[str], float, int]:
        most = now = 0
        order: list[str] = []

        async def answer(request: p.Request) -> Said:
            nonlocal most, now
            now += 1
            most = max(most, now)
            order.append("risk" if request.timeout <= 8.0 else "reply")
            await asyncio.sleep(1.0)
            now -= 1
            return GOOD

        model = Model([Offer(scripted("a", answer), concurrency=1)], STEADY)
        first = asyncio.ensure_future(model.answer([task()]))
        await asyncio.sleep(0.5)
        await asyncio.gather(first, model.answer([task("ai_ask", "other"), RISK]))
        return order, model.clock.now(), most

    assert in_virtual_time(run()) == (["reply", "risk", "reply"], 3.0, 1)


def test_who_is_busy_to_the_end_is_no_answer_and_says_so() -> None:
    async def run() -> Answer:
        model = Model([Offer(scripted("a", lambda _: Stall(14.0, GOOD)), concurrency=1)], STEADY)
        first = asyncio.ensure_future(model.answer([task()]))
        await asyncio.sleep(0)
        found = (await model.answer([RISK]))["risk"]
        await first
        assert model.clock.now() == pytest.approx(14.0)
        return found

    answer = in_virtual_time(run())
    assert (answer.status, [attempt.code for attempt in answer.attempts]) == ("failed", ["busy"])


def test_a_models_own_limits_hold() -> None:
    async def run() -> p.Request:
        asked = scripted("a", lambda _: GOOD)
        offer = Offer(asked, deadlines={"generate": 4.0}, output=700, temperature=(0.5, 1.0))
        await Model([offer], STEADY).answer([task()])
        return asked.requests[0]

    request = in_virtual_time(run())
    assert (request.timeout, request.max_tokens, request.temperature) == (4.0, 700, 0.5)


def test_a_project_says_how_its_tasks_are_asked() -> None:
    async def run() -> tuple[list[str], p.Request]:
        able = scripted("able")
        model = Model([Offer(scripted("quick"), tiers=("fast", "balanced")), Offer(able, tiers=("quality",))], STEADY)
        said = Llm.model_validate({"policy": {"generate": {"tier": "quality", "temperature": 0.9, "deadline": 6}}})
        made = script()
        made = replace(made, project=made.project.model_copy(update={"llm": said, "template_scheme": None}))
        answer = (await model.answer([task()], script=made))["ai_ask"]
        return who(answer), able.requests[0]

    names, request = in_virtual_time(run())
    assert names == ["able"]
    assert (request.temperature, request.timeout) == (0.9, 6.0)


def test_no_more_tries_than_the_policy_allows() -> None:
    async def run() -> Answer:
        said = Llm.model_validate({"policy": {"generate": {"retries": 0}}})
        made = script()
        made = replace(made, session=made.session.model_copy(update={"llm": said}))
        model = Model([scripted("a", lambda _: p.ServerError("503"))], STEADY)
        return (await model.answer([task()], script=made))["ai_ask"]

    assert who(in_virtual_time(run())) == ["a"]
