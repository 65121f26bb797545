"""Every provider we ship, through the suite that any provider must pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.llm.conformance import KEY, REQUEST, SAID, Conformance, Situation, Use

from heartrule.llm import provider as p
from heartrule.llm.providers.cassettes import RecordedProvider
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.providers.scripted import Said, ScriptedProvider, Stall
from heartrule.testing.openai_server import Fault, OpenAIServer

FAULTS: dict[Situation, Fault] = {
    "rate_limited": Fault("429", retry_after=7),
    "server_error": Fault("500"),
    "bad_request": Fault("400"),
    "unauthorised": Fault("401"),
    "cut": Fault("cut"),
    "empty": Fault("empty"),
    "filtered": Fault("filtered"),
    "stalled": Fault("stall", seconds=5),
}
SCRIPTED: dict[Situation, Said] = {
    "good": SAID,
    "refused": p.Refused(),
    "rate_limited": p.RateLimited(retry_after=7),
    "server_error": p.ServerError("500"),
    "bad_request": p.BadRequest("400"),
    "unauthorised": p.Unauthorised("401"),
    "cut": p.Cut(),
    "empty": p.Empty(),
    "filtered": p.Filtered(),
    "stalled": Stall(5),
}


class TestOpenAIWire(Conformance):
    async def run(self, situation: Situation, use: Use) -> None:
        faults = [FAULTS[situation]] * 5 if situation in FAULTS else []
        with OpenAIServer(SAID, faults) as server:
            provider = OpenAIWire(server.url, "stub", KEY)
            if situation == "refused":
                server.down()
            try:
                await use(provider)
            finally:
                await provider.aclose()


class TestScripted(Conformance):
    async def run(self, situation: Situation, use: Use) -> None:
        await use(ScriptedProvider(lambda _: SCRIPTED[situation]))


class TestRecorded(Conformance):
    """A cassette holds good answers only; faults come through from the source while recording."""

    @pytest.fixture(autouse=True)
    def _cassette(self, tmp_path: Path) -> None:
        self.path = tmp_path / "cassette.json"

    async def run(self, situation: Situation, use: Use) -> None:
        source = ScriptedProvider(lambda _: SCRIPTED[situation])
        if situation == "good":
            await RecordedProvider(self.path, source).complete(REQUEST)
            assert len(source.requests) == 1
            await use(RecordedProvider(self.path))
        else:
            await use(RecordedProvider(self.path, source))
            assert not self.path.exists()
