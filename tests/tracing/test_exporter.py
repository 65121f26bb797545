"""Traces are sent where the standard variables say, from a process of its own; else they are next to free."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from heartrule.tracing.exporter import wanted

TURN = """
import asyncio
from heartrule.llm.clock import LoopClock
from heartrule.tracing.exporter import exporting
from heartrule.tracing.turns import traced_turn

async def turn():
    with traced_turn("s1", 1, "start", None, "demo/main", LoopClock()) as turn:
        turn.outcome = "active"

with exporting() as sending:
    asyncio.run(turn())
print(sending)
"""
FREE = """
import asyncio, sys, time
from heartrule.llm.clock import LoopClock
from heartrule.tracing.turns import current, traced_turn

async def turns(n):
    begun = time.process_time()
    for _ in range(n):
        with traced_turn("s1", 1, "start", None, "demo/main", LoopClock()) as turn:
            assert current() is None
    return (time.process_time() - begun) / n

print(asyncio.run(turns(2000)) * 1e6)
assert "opentelemetry.sdk" not in sys.modules
"""


def ran(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**kept, **environment},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "yes"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_when_traces_are_wanted(environment: dict[str, str], yes: bool) -> None:
    assert wanted(environment) is yes


def test_traces_arrive_where_they_are_sent() -> None:
    came: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            came.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            told = ran(
                TURN,
                OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{server.server_port}",
                OTEL_EXPORTER_OTLP_COMPRESSION="none",
            )
        finally:
            server.shutdown()
            thread.join()
    assert told.stdout == "True\n", told.stderr
    ((path, body),) = came
    assert path == "/v1/traces"
    assert b"heartrule.turn" in body
    assert b"service.name" in body


def test_a_set_address_without_the_extra_is_said() -> None:
    told = ran(
        "import sys\nsys.modules['opentelemetry.sdk.trace'] = None\n" + TURN,
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
    )
    assert told.returncode == 1
    assert "NotInstalled: traces are wanted: pip install 'heartrule[otel]'" in told.stderr


def test_without_an_sdk_a_turn_costs_next_to_nothing() -> None:
    told = ran(FREE)
    assert told.returncode == 0, told.stderr
    assert float(told.stdout) < 200, "microseconds"
    assert ran(TURN).stdout == "False\n"
