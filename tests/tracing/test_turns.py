"""A turn is a trace, its calls are spans in it, and nothing that anybody said is in them unless that was asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from tests.sessions.material import ANSWERS, SMALL, Place, answer, run

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Reply, Request, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.testing.counsellor import counsel
from heartrule.tracing.calls import Calls
from heartrule.tracing.turns import current, hashed, traced_turn

QUICK = Policy(waits=(0.01, 0.01, 0.01), jitter=0.0)
HOST = "api.deepseek.com/deepseek-chat"


def metered(request: Request) -> Reply:
    text = json.dumps(counsel(request), ensure_ascii=False)
    return Reply(text, "m-0815", tokens_in=100, tokens_out=10, cached=60, reasoning=4, first_token=0.01)


def held(
    place: Place, *said: Callable[[Request], Any], content: bool = False, names: Sequence[str] = (HOST, "other/n")
) -> str:
    """The id of a session that was held to its end."""
    model = Model([ScriptedProvider(each, name=name) for each, name in zip(said, names, strict=False)], QUICK)

    async def work() -> str:
        model.listeners.append(Calls(content=content).attempt)
        async with place.open(model) as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            return session

    found: str = run(work())
    return found


def split(spans: InMemorySpanExporter) -> tuple[list[ReadableSpan], list[ReadableSpan]]:
    finished = spans.get_finished_spans()
    return [one for one in finished if one.parent is None], [one for one in finished if one.parent is not None]


def told(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_every_turn_is_a_trace_of_its_own(place: Place, spans: InMemorySpanExporter) -> None:
    session = held(place, metered)
    turns, _ = split(spans)
    assert [one.name for one in turns] == ["heartrule.turn"] * 5
    assert len({one.context.trace_id for one in turns}) == 5
    assert [told(one)["heartrule.turn"] for one in turns] == [1, 2, 3, 4, 5]
    assert [told(one)["heartrule.input"] for one in turns] == ["start", "message", "message", "choice", "message"]
    assert {told(one)["heartrule.session"] for one in turns} == {hashed(session)}
    assert [told(one)["heartrule.outcome"] for one in turns] == ["active"] * 4 + ["ended"]
    assert [told(one)["heartrule.rounds"] > 0 for one in turns] == [False, True, True, False, True]
    assert all(told(one)["heartrule.script"].endswith("small") for one in turns)
    assert all(one.status.status_code is StatusCode.UNSET for one in turns)


def test_every_call_is_a_span_in_its_turn(place: Place, spans: InMemorySpanExporter) -> None:
    held(place, metered)
    turns, calls = split(spans)
    assert calls
    by_trace = {one.context.trace_id: one for one in turns}
    for call in calls:
        turn = by_trace[call.context.trace_id]
        assert call.parent is not None
        assert call.parent.span_id == turn.context.span_id
        assert (call.name, call.kind) == ("chat deepseek-chat", SpanKind.CLIENT)
        assert turn.start_time is not None
        assert call.start_time is not None
        assert call.end_time is not None
        assert turn.end_time is not None
        slack = 5_000_000
        assert turn.start_time - slack <= call.start_time <= call.end_time <= turn.end_time + slack
        (first,) = call.events
        assert (first.name, first.timestamp - call.start_time) == ("gen_ai.first_token", 10_000_000)
        found = told(call)
        assert found.pop("heartrule.task") in ("risk", "ask", "judge", "perceive")
        assert found.pop("heartrule.role") in ("understand", "generate", "judge")
        assert isinstance(found.pop("gen_ai.request.temperature"), float)
        assert found == {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "deepseek",
            "gen_ai.request.model": "deepseek-chat",
            "gen_ai.output.type": "json",
            "gen_ai.conversation.id": told(turn)["heartrule.session"],
            "server.address": "api.deepseek.com",
            "gen_ai.usage.input_tokens": 100,
            "gen_ai.usage.output_tokens": 10,
            "gen_ai.usage.cache_read.input_tokens": 60,
            "gen_ai.usage.reasoning.output_tokens": 4,
            "gen_ai.response.time_to_first_chunk": 0.01,
            "gen_ai.response.finish_reasons": ("stop",),
            "gen_ai.response.model": "m-0815",
            "heartrule.attempt": 1,
            "heartrule.attempt.outcome": "ok",
            "heartrule.fallback": 0,
        }


def test_failures_and_stand_ins_are_spans_with_their_fault(place: Place, spans: InMemorySpanExporter) -> None:
    def down(_: Request) -> Reply:
        raise ServerError("503")

    held(place, down, metered)
    _, calls = split(spans)
    failed = [told(one) for one in calls if one.status.status_code is StatusCode.ERROR]
    assert failed
    assert {one["error.type"] for one in failed} == {"server_error:503"}
    assert not [one for one in failed if "gen_ai.usage.input_tokens" in one or "gen_ai.response.model" in one]
    stood_in = [told(one) for one in calls if told(one)["heartrule.fallback"]]
    assert stood_in
    assert {one["gen_ai.provider.name"] for one in stood_in} == {"other"}


def everything(spans: InMemorySpanExporter) -> str:
    return json.dumps([json.loads(one.to_json()) for one in spans.get_finished_spans()], ensure_ascii=False)


def test_nothing_that_anybody_said_is_in_a_span(place: Place, spans: InMemorySpanExporter) -> None:
    answers: list[str] = []

    def model(request: Request) -> Reply:
        reply = metered(request)
        answers.append(json.loads(reply.text).get("content") or "")
        return reply

    def spoilt(request: Request) -> str:
        return f"not json: {request.messages[-1].text}"

    session = held(place, model)
    held(place, spoilt)
    found = everything(spans)
    assert "heartrule.turn" in found
    assert any(answers)
    questions = ("最近心情怎样", "昨晚睡了几个小时", "还有什么想说的", "你好。", "再见")
    assert all(one in SMALL for one in questions)
    for words in (*questions, *(words for kind, words in ANSWERS if kind == "message"), *filter(None, answers)):
        assert words not in found
    assert session not in found, "not even the id that would open it"


def test_with_content_when_that_is_said(place: Place, spans: InMemorySpanExporter) -> None:
    held(place, metered, content=True)
    _, calls = split(spans)
    sent = [json.loads(told(one)["gen_ai.input.messages"]) for one in calls]
    assert {each["role"] for one in sent for each in one} == {"system", "user"}
    assert "提不起劲" in everything(spans)
    (answer,) = json.loads(told(calls[0])["gen_ai.output.messages"])
    assert (answer["role"], answer["finish_reason"]) == ("assistant", "stop")
    json.loads(answer["parts"][0]["content"])


class Told(Exception):
    """A fault that quotes somebody."""


@pytest.mark.parametrize(("kind", "fault"), [(Told, True), (type("Joined", (Exception,), {}), False)])
def test_a_turn_that_breaks_off_says_how_and_quotes_nothing(
    spans: InMemorySpanExporter, kind: type[Exception], fault: bool
) -> None:
    async def work() -> None:
        with traced_turn("s1", 3, "message", None, "demo/main", Model().clock):
            assert current() is not None
            raise kind("我不想说")

    with pytest.raises(kind):
        run(work())
    (span,) = spans.get_finished_spans()
    assert told(span)["heartrule.outcome"] == kind.__name__.lower()
    assert ("error.type" in told(span), span.status.status_code is StatusCode.ERROR) == (fault, fault)
    assert (span.events, span.status.description) == ((), None)
    assert current() is None


def test_calls_outside_a_turn_are_nobodys(spans: InMemorySpanExporter) -> None:
    async def work() -> None:
        model = Model([ScriptedProvider(metered)])
        model.listeners.append(Calls().attempt)
        from tests.llm.material import task

        await model.answer([task()])

    run(work())
    assert spans.get_finished_spans() == ()
