"""Requests by the thousand, read off the OpenAPI document: none breaks the server, and all are answered as it says.

    python -m tests.chaos.fuzz [REQUESTS] [SECONDS] [SEED]

Half of the requests fit the document, half break it somewhere. Most of those that name a session name a real one, with
a token that opens it, one of somebody else, one of its person, or none; the sessions go on by what is said to them and
are replaced as they end. What is the staff's is asked for by programs of every role, by visitors and by nobody, of
people's sessions, debug sessions and projects that are there. Runs against a server of its own on the loopback, and
stops by itself.

A request takes about 8 ms of a processor to make up and 4 ms to answer: a hundred a second where nobody else works,
fewer beside others. Every thousand requests a line says how many it was, and whose processor time they took.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup
from tests.browser.served import Served
from tests.server.material import SMALL, project

CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
ENOUGH = 20
"""Answers that are wrong, after which no more is asked."""
AT_ONCE = 25
"""Requests of one kind before it is the next one's turn; fewer when there are not many in all."""
OFTEN = 1_000
USED_UP = 40
"""Requests after which a session is replaced."""
UNLIMITED = "[server]\ndebug = 'full'\n[server.rates]\ntoken = 0\naddress = 0\nsessions = 0\nturns = 0\npages = 0\n"
SCRIPTS = ("tests/small", "tests/typed", "cbt/abc_intro", "cbt/abc_intro_en", "cbt/first_assessment")
STAFF = tuple(f"/api/v1/{part}/" for part in ("desk", "staff", "debug", "workbench"))
ROLES = ("counsellor", "developer", "reviewer")
DEBUGGED = "tests/small"
HOWS = ("own", "own", "own", "own", "person", "stranger", "none", "generated")


@dataclass
class Fuzz:
    """One run. ``answers`` counts statuses, ``said`` what went to which operation, ``took`` the seconds until those of
    an operation were answered."""

    served: Served
    most: int
    seconds: float
    random: Random
    answers: Counter[int] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    took: Counter[str] = field(default_factory=Counter)
    operations: frozenset[str] = frozenset()
    at_once: int = 1
    tell: Callable[[Fuzz], None] = lambda run: None
    """Hears of every ``OFTEN`` requests."""
    wrong: list[str] = field(default_factory=list)
    """Answers that are not as the document says."""

    def __post_init__(self) -> None:
        load_all_checks()
        self.checks = CHECKS.get_by_names(list(CHECKED))
        self.client = requests.Session()
        self.ends = time.monotonic() + self.seconds
        self.visits: list[dict[str, Any]] = []
        self.tokens = {role: token_of(self.served, role) for role in ROLES}
        self.debugged: list[dict[str, Any]] = []
        self.projects: list[str] = []

    @property
    def count(self) -> int:
        return self.answers.total()

    @property
    def over(self) -> bool:
        return len(self.wrong) >= ENOUGH or self.count >= self.most or time.monotonic() > self.ends

    def run(self) -> None:
        schema = schemathesis.openapi.from_url(f"{self.served.url}/openapi.json", timeout=120)
        operations = [found.ok() for found in schema.get_all_operations()]
        self.operations = frozenset(operation.label for operation in operations)
        self.at_once = max(1, min(AT_ONCE, self.most // (len(GenerationMode) * len(operations))))
        for turn in itertools.count():
            for operation in operations:
                for mode in GenerationMode:
                    if self.over:
                        return
                    self._some(operation, mode, turn)

    def _some(self, operation: APIOperation, mode: GenerationMode, turn: int) -> None:
        if mode is GenerationMode.NEGATIVE and not operation.body and not list(operation.iter_parameters()):
            return

        @seed(self.random.getrandbits(32))
        @settings(
            max_examples=self.at_once,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy(generation_mode=mode), how=st.sampled_from(HOWS))
        def ask(case: Case, how: str) -> None:
            if self.over:
                return
            began = time.monotonic()
            self._ask(case, how)
            self.took[case.operation.label] += time.monotonic() - began
            if self.count % OFTEN == 0:
                self.tell(self)

        with suppress(Unsatisfiable):  # nothing wrong can be said, where any text is a name
            ask()

    def _ask(self, case: Case, how: str) -> None:
        headers = self._placed(case, how)
        sent = case.as_transport_kwargs(base_url=self.served.url, headers=headers)
        with self.client.request(**sent, stream=True, timeout=60, allow_redirects=False) as answer:
            self.answers[answer.status_code] += 1
            self.said[case.operation.label] += 1
            if case.path.endswith("/events") and answer.status_code == 200:
                assert answer.headers["content-type"].startswith("text/event-stream")
                assert next(answer.iter_lines()).startswith((b"retry: 1000", b"event: changed", b":", b"event: desk"))
                self.client.close()  # it would never end by itself
                return
            try:
                case.validate_response(answer, checks=self.checks)
            except FailureGroup as failed:
                what = "; ".join(f"{type(each).__name__} {each}" for each in failed.exceptions)
                self.wrong.append(f"{case.operation.label} {answer.status_code} {case.path_parameters}: {what[:1_500]}")

    def _placed(self, case: Case, how: str) -> dict[str, str]:
        """A real session in the path, and the token that belongs to this way of coming."""
        if case.operation.path.startswith(STAFF):
            return self._as_staff(case, how)
        visit, stranger = self._visit(), self._visit()
        if "session" in case.path_parameters and how != "generated":
            case.path_parameters["session"] = visit["session"]["id"]
        body: Any = case.body if isinstance(case.body, dict) else {}
        if isinstance(body.get("script"), str) and how != "generated":
            body["script"] = self.random.choice(SCRIPTS)
        persons = "session" not in case.path_parameters
        token = {
            "own": visit["person_token"] if persons else visit["token"],
            "person": visit["person_token"],
            "stranger": stranger["token"],
        }.get(how)
        return {"Authorization": f"Bearer {token}"} if token else {}

    def _as_staff(self, case: Case, how: str) -> dict[str, str]:
        """What there is in the path, and the role that may most often, or any other."""
        made = self._debugged()
        long = case.operation.path.endswith(("/tests", "/scores"))  # of the library they take a minute
        there = {"session": self._visit()["session"]["id"], "debug": made["id"], "project": self._project(own=long)}
        if "/chat/" in case.operation.path:
            there["session"] = made["chat"]["session"]
        for name in case.path_parameters if how != "generated" else ():
            case.path_parameters[name] = there.get(name, case.path_parameters[name])
        part = case.operation.path.split("/")[3]
        may = {"desk": "counsellor", "debug": "developer", "workbench": "developer"}.get(part, "counsellor")
        token = {
            "own": made["chat"]["token"] if "/chat/" in case.operation.path else self.tokens[may],
            "person": self.random.choice([*self.tokens.values(), self._visit()["token"]]),
            "stranger": self._visit()["token"],
        }.get(how)
        return {"Authorization": f"Bearer {token}"} if token else {}

    def _debugged(self) -> dict[str, Any]:
        if self.count // USED_UP + 1 > len(self.debugged):
            body = {"texts": {"small.yaml": SMALL, "project.yaml": "id: tests\n"}, "script": DEBUGGED}
            self.debugged.append(self.served.call("POST", "/debug/sessions", body, self.tokens["developer"]))
        return self.random.choice(self.debugged[-4:])

    def _project(self, *, own: bool) -> str:
        if self.count // USED_UP + 1 > len(self.projects):
            body = {"name": "fuzzed", "template": "empty"}
            made = self.served.call("POST", "/workbench/projects", body, self.tokens["developer"])
            self.projects.append(made["id"])
        folders = [] if own else ["folder.tests", "library.cbt"]
        return self.random.choice([*self.projects[-2:], *folders])

    def _visit(self) -> dict[str, Any]:
        if self.count // USED_UP + 2 > len(self.visits):
            made = self.served.call(
                "POST", "/sessions", {"script": self.random.choice(SCRIPTS), "options": {"debug_level": "full"}}
            )
            if self.random.random() < 0.8:
                path = f"/sessions/{made['session']['id']}/turns"
                self.served.call("POST", path, {"key": "start-0001", "input": {"type": "start"}}, made["token"])
            self.visits.append(made)
        return self.random.choice(self.visits[-8:])


def processor_time(pid: int) -> float:
    """Seconds that a process has worked."""
    numbers = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def token_of(served: Served, role: str) -> str:
    """Of a program that acts for somebody of that role."""
    command = [sys.executable, "-m", "heartrule", "token", "--name", role, "--role", role, "--data", str(served.data)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


def fuzz(most: int, seconds: float, number: int = 1, tell: Callable[[Fuzz], None] = lambda run: None) -> Fuzz:
    """A server, asked ``most`` times or for so many seconds. Whatever is wrong is raised."""
    with TemporaryDirectory() as folder:
        served = Served(Path(folder), projects=[project(Path(folder))])
        served.data.mkdir(parents=True)
        (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
        with served:
            ran = Fuzz(served, most, seconds, Random(number), tell=tell)
            try:
                ran.run()
            except BaseException as error:
                error.add_note(served.log.read_text(encoding="utf-8", errors="replace")[-5000:])
                raise
            assert ran.wrong == [], "\n".join(ran.wrong)
        log = served.log.read_text(encoding="utf-8", errors="replace")
        assert "Traceback" not in log
        assert " fault " not in log
    return ran


def main() -> None:
    given_ = [int(argument) for argument in sys.argv[1:]]
    most, seconds, number = [*given_, *(20_000, 1800, 1)[len(given_) :]]
    began = time.monotonic()

    def tell(run: Fuzz) -> None:
        cost = [1_000 * spent / run.count for spent in (time.process_time(), processor_time(run.served.pid))]
        print(
            f"{run.count} requests, {run.count / (time.monotonic() - began):.1f} a second; of a processor each took "
            f"{cost[0]:.1f} ms to make up and {cost[1]:.1f} ms to answer; answers: {dict(sorted(run.answers.items()))}",
            flush=True,
        )

    ran = fuzz(most, seconds, number, tell)
    for operation, count in sorted(ran.said.items()):
        print(f"{count:6} {1_000 * ran.took[operation] / count:6.0f} ms {operation}")
    print(f"{ran.count} requests in {time.monotonic() - began:.0f} s; answers: {dict(sorted(ran.answers.items()))}")


if __name__ == "__main__":
    main()
