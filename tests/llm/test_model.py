"""Tasks to answers: deadlines, the one retry loop, mending, degradation. Time is virtual; nothing waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.llm.material import GOOD, context, script, task

from heartrule.engine.session.tasks import Answer, Line, Role, Task
from heartrule.llm import provider as p
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prompt import render
from heartrule.llm.providers.scripted import OutOfScript, Said, ScriptedProvider, Stall
from heartrule.testing.models import in_virtual_time

STEADY = Policy(jitter=0.0)


class Asked:
    """One conversation with a model: the answers, how long they took, and what the provider was asked."""

    def __init__(
        self,
        said: Iterable[Said] | Callable[[p.Request], Said],
        tasks: Sequence[Task] | None = None,
        *,
        rules: Policy = STEADY,
        budget: float | None = None,
        chance: Callable[[], float] = lambda: 0.5,
    ) -> None:
        self.provider = ScriptedProvider(said)
        self.tasks = list(tasks or [task()])

        async def run() -> dict[str, Answer]:
            model = Model([self.provider], rules, random=chance)
            until = None if budget is None else model.clock.now() + budget
            started = model.clock.now()
            found = await model.answer(self.tasks, until)
            self.seconds = model.clock.now() - started
            return found

        self.answers = in_virtual_time(run())

    @property
    def answer(self) -> Answer:
        (found,) = self.answers.values()
        return found

    @property
    def outcomes(self) -> list[str]:
        return [attempt.outcome for attempt in self.answer.attempts]

    @property
    def causes(self) -> list[str]:
        return [attempt.cause for attempt in self.answer.attempts]

    @property
    def prompts(self) -> list[str]:
        return ["\n".join(message.text for message in request.messages) for request in self.provider.requests]


def test_a_good_answer_is_taken_as_it_is() -> None:
    asked = Asked([GOOD])
    assert asked.answer.status == "answered"
    assert asked.answer.data == GOOD
    assert asked.answer.prompt_hash == render(asked.tasks[0]).hash
    (attempt,) = asked.answer.attempts
    assert (attempt.number, attempt.outcome, attempt.parse, attempt.cause) == (1, "ok", ("direct",), "")
    assert json.loads(attempt.raw) == GOOD
    assert attempt.model == "scripted"


def test_the_attempt_keeps_what_it_cost() -> None:
    reply = p.Reply(json.dumps(GOOD), model="m-7", tokens_in=900, tokens_out=80)
    (attempt,) = Asked([Stall(2.0, reply)]).answer.attempts
    assert (attempt.model, attempt.tokens_in, attempt.tokens_out) == ("m-7", 900, 80)
    assert attempt.seconds == pytest.approx(2.0)


def test_without_providers_all_is_absent() -> None:
    answers = in_virtual_time(Model().answer([task(), task("risk")]))
    assert {answer.status for answer in answers.values()} == {"absent"}
    assert not Model().configured


def test_no_tasks_no_answers() -> None:
    assert in_virtual_time(Model([ScriptedProvider([])]).answer([])) == {}


@pytest.mark.parametrize(
    "fault",
    [
        p.Refused(),
        p.RateLimited(),
        p.ServerError("503"),
        p.Cut(),
        p.Empty(),
        p.TooLong("2000000"),
        p.Malformed("9 bytes"),
    ],
    ids=lambda fault: fault.code,
)
def test_a_passing_fault_is_waited_out(fault: p.ProviderError) -> None:
    asked = Asked([fault, GOOD])
    assert asked.answer.status == "answered"
    assert asked.outcomes == ["error", "ok"]
    assert asked.causes[0] == fault.cause
    assert asked.seconds == pytest.approx(1.0)


@pytest.mark.parametrize("fault", [p.BadRequest("400"), p.Unauthorised("401"), p.Unauthorised("403"), p.Filtered()])
def test_what_will_not_change_is_not_asked_again(fault: p.ProviderError) -> None:
    asked = Asked([fault])
    assert asked.answer.status == "failed"
    assert asked.causes == [fault.cause]
    assert asked.seconds == 0


def test_a_dialect_that_was_just_learned_is_tried_at_once() -> None:
    asked = Asked([p.Unsupported("400"), p.Unsupported("400"), GOOD])
    assert asked.answer.status == "answered"
    assert asked.seconds == 0


def test_three_retries_with_one_two_and_four_seconds_between() -> None:
    asked = Asked([p.ServerError("500")] * 9)
    assert asked.answer.status == "failed"
    assert len(asked.provider.requests) == 4
    assert asked.seconds == pytest.approx(1 + 2 + 4)
    assert [attempt.number for attempt in asked.answer.attempts] == [1, 2, 3, 4]


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 0.75), (0.5, 1.0), (1.0, 1.25)])
def test_waits_are_spread_by_a_quarter(chance: float, seconds: float) -> None:
    asked = Asked([p.Cut(), GOOD], rules=Policy(), chance=lambda: chance)
    assert asked.seconds == pytest.approx(seconds)


def test_retry_after_is_honoured() -> None:
    assert Asked([p.RateLimited(retry_after=6), GOOD]).seconds == pytest.approx(6)


def test_retry_after_never_shortens_the_wait() -> None:
    assert Asked([p.RateLimited(retry_after=0), GOOD]).seconds == pytest.approx(1)


def test_retry_after_beyond_the_budget_gives_up_at_once() -> None:
    asked = Asked([p.RateLimited(retry_after=60)])
    assert asked.answer.status == "failed"
    assert asked.causes == ["rate_limited", "budget"]
    assert asked.seconds == 0


@pytest.mark.parametrize(("role", "seconds"), [("understand", 10), ("generate", 15), ("judge", 8)])
def test_a_call_is_cut_off_by_its_role(role: Role, seconds: float) -> None:
    asked = Asked([Stall(), Stall()], [task(role=role)], budget=seconds + 0.1)
    assert asked.outcomes[0] == "timeout"
    assert asked.answer.attempts[0].seconds == pytest.approx(seconds)
    assert asked.provider.requests[0].timeout == seconds


def test_the_turn_budget_bounds_everything() -> None:
    asked = Asked([Stall()] * 9)
    assert asked.answer.status == "failed"
    assert asked.seconds <= 20
    assert asked.provider.requests[1].timeout == pytest.approx(20 - 15 - 1)


def test_a_deadline_that_has_passed_asks_nobody() -> None:
    asked = Asked([GOOD], budget=0.0)
    assert asked.answer.status == "failed"
    assert asked.causes == ["budget"]
    assert asked.provider.requests == []


def test_a_task_may_have_a_shorter_time() -> None:
    asked = Asked([Stall()], [task("risk", role="judge", seconds=3.0)])
    assert asked.answer.status == "failed"
    assert asked.seconds == pytest.approx(3.0)


def test_a_provider_that_ignores_its_timeout_is_cut_off() -> None:
    class Deaf(ScriptedProvider):
        async def complete(self, request: p.Request, heard: p.Heard | None = None) -> p.Reply:
            await asyncio.sleep(3600)
            return p.Reply("")

    async def run() -> tuple[Answer, float]:
        model = Model([Deaf([])], STEADY)
        found = await model.answer([task()])
        return found["ai_ask"], model.clock.now()

    answer, seconds = in_virtual_time(run())
    assert answer.status == "failed"
    assert seconds <= 20


@pytest.mark.parametrize(("scale", "seconds"), [(3.0, 45.0), (0.1, 1.5)])
def test_deadlines_scale_for_slow_models_and_waits_only_shrink(scale: float, seconds: float) -> None:
    asked = Asked([p.Cut(), Stall(), GOOD], rules=replace(STEADY, time_scale=scale))
    assert asked.provider.requests[0].timeout == pytest.approx(seconds)
    assert asked.answer.attempts[1].seconds == pytest.approx(seconds)
    waits = 1 * min(1.0, scale)
    assert asked.provider.requests[2].timeout <= 20 * scale - waits - seconds


def test_a_retry_asks_for_less() -> None:
    asked = Asked([p.Cut(), GOOD])
    first, second = asked.prompts
    assert "对方有些疲惫" in first
    assert "对方有些疲惫" not in second
    assert "- metrics：" in first
    assert "- metrics：" not in second
    assert len(second) < len(first)
    schema = asked.provider.requests[1].schema
    assert schema is not None
    assert "metrics" not in schema["properties"]


def test_a_retry_still_asks_for_what_is_required() -> None:
    must = replace(task(), required=("EXIT", "content", "metrics"))
    asked = Asked([p.Cut(), GOOD], [must])
    schema = asked.provider.requests[1].schema
    assert schema is not None
    assert "metrics" in schema["properties"]


BAD = [
    "我觉得可以继续聊聊。",
    "[1, 2]",
    '"好"',
    "{}",
    '{"EXIT":"YES"}',
    '{"EXIT":"也许","content":"好"}',
    '{"EXIT":"NO","content":" "}',
]


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_answer_is_shown_its_error_once(bad: str) -> None:
    asked = Asked([bad, GOOD])
    assert asked.answer.status == "answered"
    assert asked.outcomes == ["rejected", "ok"]
    assert asked.answer.attempts[0].raw == bad
    assert asked.seconds == 0
    *before, answer, complaint = asked.provider.requests[1].messages
    assert tuple(before) == asked.provider.requests[0].messages
    assert (answer.role, answer.text) == ("assistant", bad)
    assert complaint.role == "user"
    assert asked.answer.attempts[0].cause in complaint.text


@pytest.mark.parametrize("bad", BAD)
def test_a_second_bad_answer_is_the_last(bad: str) -> None:
    asked = Asked([bad, bad])
    assert asked.answer.status == "failed"
    assert asked.answer.data is None
    assert asked.outcomes == ["rejected", "rejected"]


def test_every_parse_is_recorded() -> None:
    asked = Asked(["没有对象", GOOD])
    assert [attempt.parse for attempt in asked.answer.attempts] == [
        ("direct", "trimmed", "fenced", "repaired"),
        ("direct",),
    ]


def test_mending_and_waiting_share_the_tries() -> None:
    asked = Asked(["不行", p.Cut(), p.Cut(), p.Cut()])
    assert asked.answer.status == "failed"
    assert asked.outcomes == ["rejected", "error", "error", "error"]


def test_a_bad_answer_is_mended_even_after_a_fault_and_only_once() -> None:
    asked = Asked([p.Cut(), "不行", GOOD])
    assert asked.outcomes == ["error", "rejected", "ok"]
    assert Asked(["不行", p.Cut(), "不行", GOOD]).outcomes == ["rejected", "error", "rejected"]


def test_illegal_fields_are_dropped_and_noted() -> None:
    odd = {
        **GOOD,
        "progress_suggestion": "?",
        "metrics": "好",
        "values": {"睡眠时长": {"value": "很多", "evidence": "x"}},
    }
    asked = Asked([odd])
    assert asked.answer.status == "answered"
    assert asked.answer.data is not None
    assert "progress_suggestion" not in asked.answer.data
    assert asked.answer.data["values"] == {"睡眠时长": {"evidence": "x"}}
    assert asked.causes == ["dropped:progress_suggestion,values.睡眠时长.value,metrics"]


def test_an_answer_cut_at_the_token_limit_is_not_spoken() -> None:
    cut = p.Reply('{"EXIT":"NO","content":"半夜老醒，第二天想必很累。","values":{"睡眠', finish="length")
    asked = Asked([cut, GOOD])
    assert asked.outcomes == ["rejected", "ok"]


def test_an_answer_that_stops_within_a_text_is_not_spoken_either() -> None:
    assert Asked(['{"EXIT":"NO","content":"半夜老醒，', GOOD]).outcomes == ["rejected", "ok"]


def test_a_missing_brace_is_repaired_unless_the_limit_explains_it() -> None:
    open_ended = '{"EXIT":"NO","content":"半夜老醒，想必很累。"'
    assert Asked([open_ended]).outcomes == ["ok"]
    assert Asked([p.Reply(open_ended, finish="length"), GOOD]).outcomes == ["rejected", "ok"]


def test_a_whole_answer_that_used_all_its_tokens_is_fine() -> None:
    assert Asked([p.Reply(json.dumps(GOOD), finish="length")]).outcomes == ["ok"]


ENGLISH = {**GOOD, "content": "That sounds exhausting. How long has it been like this?"}


def test_the_wrong_language_is_mended_once_and_then_not_spoken() -> None:
    asked = Asked([ENGLISH, GOOD])
    assert asked.outcomes == ["rejected", "ok"]
    assert "zh-CN" in asked.prompts[1]
    assert Asked([ENGLISH, ENGLISH]).answer.status == "failed"


def test_an_answer_that_has_run_away_is_mended_once_and_then_not_spoken() -> None:
    endless = {**GOOD, "content": "啊" * 400_000}
    assert Asked([endless, GOOD]).answer.data == GOOD
    asked = Asked([endless, endless])
    assert asked.answer.data is None
    assert "4000 characters" in asked.causes[-1]
    assert max(len(message.text) for message in asked.provider.requests[1].messages) < 10_000


def test_a_person_who_writes_english_may_be_answered_in_english() -> None:
    where = context((Line("person", "I have not been sleeping well lately"),))
    assert Asked([ENGLISH], [task(where=where)]).outcomes == ["ok"]


def test_tasks_run_side_by_side() -> None:
    tasks = [task(key="reply"), task("risk", role="judge"), task("judge", role="judge")]
    verdicts = {"verdicts": []}
    asked = Asked(lambda r: Stall(2.0, GOOD if "EXIT" in str(r.schema) else verdicts), tasks)
    assert list(asked.answers) == ["reply", "risk", "judge"]
    assert {answer.status for answer in asked.answers.values()} == {"answered"}
    assert asked.seconds == pytest.approx(2.0)


def test_one_task_failing_leaves_the_others_alone() -> None:
    tasks = [task(key="reply"), task("risk", role="judge")]
    asked = Asked(lambda r: GOOD if "EXIT" in str(r.schema) else p.BadRequest("400"), tasks)
    assert asked.answers["reply"].status == "answered"
    assert asked.answers["risk"].status == "failed"


def test_what_a_provider_should_not_raise_is_a_failure_and_not_a_crash() -> None:
    def broken(_: p.Request) -> Said:
        raise ZeroDivisionError("一句来访者的话")

    asked = Asked(broken)
    assert asked.answer.status == "failed"
    assert asked.causes == ["fault:ZeroDivisionError"] * 4


@pytest.mark.parametrize("count", [1, 3])
def test_faults_of_a_test_are_not_degraded(count: int) -> None:
    with pytest.raises(OutOfScript):
        Asked([], [task(key=str(number)) for number in range(count)])


def test_a_missing_template_is_a_failure_that_says_so() -> None:
    asked = Asked([GOOD], [task("no_such_template")])
    assert asked.answer.status == "failed"
    assert "no_such_template" in asked.causes[0]


def test_a_broken_template_of_a_project_is_a_failure_that_says_so() -> None:
    async def run() -> Answer:
        model = Model([ScriptedProvider([GOOD])])
        own = script({"own/ai_ask.zh-CN.md": "{%?who%}"})
        return (await model.answer([task(where=context(scheme="own"))], None, own))["ai_ask"]

    answer = in_virtual_time(run())
    assert answer.status == "failed"
    assert answer.attempts[0].cause.startswith("template:")


@pytest.mark.parametrize("count", [1, 3])
def test_cancelling_cancels_the_calls(count: int) -> None:
    ended: list[str] = []

    class Watched(ScriptedProvider):
        async def complete(self, request: p.Request, heard: p.Heard | None = None) -> p.Reply:
            try:
                return await super().complete(request, heard)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

    async def run() -> None:
        model = Model([Watched(lambda _: Stall(5))])
        call = asyncio.ensure_future(model.answer([task(key=str(number)) for number in range(count)]))
        await asyncio.sleep(1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(asyncio.all_tasks()) == 1

    in_virtual_time(run())
    assert ended == ["cancelled"] * count


def test_cancelling_while_waiting_to_retry() -> None:
    async def run() -> None:
        provider = ScriptedProvider([p.Cut(), GOOD])
        call = asyncio.ensure_future(Model([provider]).answer([task()]))
        await asyncio.sleep(0.1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(provider.requests) == 1

    in_virtual_time(run())


def test_a_prompt_that_was_rendered_already_is_used() -> None:
    async def run() -> Answer:
        prompt = replace(render(task()), messages=(p.PromptMessage("user", "另一段提示词"),), hash="h")
        provider = ScriptedProvider([GOOD])
        answer = (await Model([provider]).ask([task()], prompts={"ai_ask": prompt}).all())["ai_ask"]
        assert provider.requests[0].messages == prompt.messages
        return answer

    assert in_virtual_time(run()).prompt_hash == "h"


def test_requests_carry_temperature_and_the_token_limit() -> None:
    asked = Asked([GOOD], [replace(task(), temperature=0.9)], rules=replace(STEADY, max_tokens=77))
    (request,) = asked.provider.requests
    assert (request.temperature, request.max_tokens) == (0.9, 77)


def test_closing_closes_the_providers() -> None:
    provider = ScriptedProvider([])
    in_virtual_time(Model([provider]).aclose())
    assert provider.closed


def test_requests_and_replies_print_nothing_of_what_was_said() -> None:
    asked = Asked([p.Reply(json.dumps(GOOD, ensure_ascii=False))])
    assert "半夜" not in repr(asked.provider.requests[0])
    assert "半夜" not in repr(p.Reply("总是半夜醒"))


def the_models(first: Iterable[Said], second: Iterable[Said]) -> tuple[Answer, int, int, float]:
    async def run() -> tuple[Answer, int, int, float]:
        one, two = ScriptedProvider(first, name="one"), ScriptedProvider(second, name="two")
        model = Model([one, two], STEADY)
        answer: dict[str, Any] = await model.answer([task()])
        return answer["ai_ask"], len(one.requests), len(two.requests), model.clock.now()

    return in_virtual_time(run())


def test_the_next_provider_takes_over_after_two_failures() -> None:
    answer, one, two, seconds = the_models([p.Cut(), p.Cut()], [GOOD])
    assert (answer.status, one, two) == ("answered", 2, 1)
    assert seconds == pytest.approx(1.0)
    assert [attempt.model for attempt in answer.attempts] == ["one", "one", "two"]


def test_the_next_provider_takes_over_at_once_when_the_first_refuses() -> None:
    answer, one, two, seconds = the_models([p.Unauthorised("401")], [GOOD])
    assert (answer.status, one, two, seconds) == ("answered", 1, 1, 0)


def test_when_all_refuse_it_is_over() -> None:
    answer, one, two, _ = the_models([p.Unauthorised("401")], [p.BadRequest("400")])
    assert (answer.status, one, two) == ("failed", 1, 1)
