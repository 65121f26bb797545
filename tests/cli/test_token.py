"""Letting staff in, and what they did; and in the terminal, who of them speaks."""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from rich.console import Console
from tests.cli.command import Command
from tests.cli.stand_ins import message
from tests.store.worlds import NOW

from heartrule.cli.plain import Plain
from heartrule.cli.terminal import Terminal
from heartrule.cli.words import Words
from heartrule.server.tokens import Staff, Tokens
from heartrule.sessions.clock import SystemClock
from heartrule.store import Store
from heartrule.store.audit import AuditRecord, Deed

SAID = [
    message(1, "王老师来了。", "system"),
    replace(message(2, "我在。", "human"), metadata={"name": "王老师"}),
    message(3, "又是我。"),
]


def read(command: Command, token: str) -> Staff:
    async def key() -> bytes:
        with Store.open(command.data, synchronous="OFF") as store:
            return await store.token_key()

    staff = Tokens(asyncio.run(key()), None, SystemClock()).read(token.strip()).staff
    assert staff is not None
    return staff


def test_a_token_lets_somebody_in_for_some_hours(heartrule: Command) -> None:
    made = heartrule("token", "--name", "王老师", "--lang", "zh")
    assert made.returncode == 0, made.stderr
    assert read(heartrule, made.stdout) == Staff("王老师", "王老师", "counsellor", ("*",))
    assert "王老师" in made.stderr
    more = heartrule("token", "--name", "Li", "--id", "c-2", "--project", "cbt", "--project", "sleep", "--hours", "1")
    assert read(heartrule, more.stdout) == Staff("c-2", "Li", "counsellor", ("cbt", "sleep"))


@pytest.mark.parametrize(
    "wrong", [["--name", ""], ["--name", " Li"], ["--name", "L" * 41], ["--name", "L", "--id", ""]]
)
def test_a_name_that_could_not_be_shown_is_refused(heartrule: Command, wrong: list[str]) -> None:
    ran = heartrule("token", *wrong, "--lang", "en")
    if wrong[-1] == "" and "--id" in wrong:
        assert read(heartrule, ran.stdout).id == "L"
        return
    assert ran.returncode == 2
    assert "1 to 40 characters" in ran.stderr
    assert ran.stdout == ""


def test_a_role_that_is_none_is_refused(heartrule: Command) -> None:
    assert heartrule("token", "--name", "Li", "--role", "admin").returncode == 2


def test_what_staff_did_is_told_newest_first(heartrule: Command) -> None:
    assert "没有记录" in heartrule("audit", "--lang", "zh").stdout

    async def fill() -> None:
        deeds: list[Deed] = ["read", "takeover", "write", "hand_back", "ack"]
        with Store.open(heartrule.data, synchronous="OFF") as store:
            for number, what in enumerate(deeds):
                at = NOW + timedelta(minutes=number)
                await store.audit.note(AuditRecord("c-1", "counsellor", f"s{number % 2}", what, at))

    asyncio.run(fill())
    lines = heartrule("audit", "--lang", "en").stdout.splitlines()
    assert [line.split("  ")[2] for line in lines] == [
        "acknowledged a call",
        "handed back",
        "wrote",
        "took over",
        "read",
    ]
    assert "c-1 (counsellor)" in lines[0]
    assert len(heartrule("audit", "--session", "s1", "--lang", "zh").stdout.splitlines()) == 2
    (one,) = json.loads(heartrule("audit", "--limit", "1", "--format", "json").stdout)
    assert (one["who"], one["what"], one["session"]) == ("c-1", "ack", "s0")


def test_in_plain_lines_a_human_is_named_as_one() -> None:
    target = io.StringIO()
    Plain(Words("zh"), "小禾", io.StringIO(), target).say(SAID)
    assert target.getvalue() == "提示: 王老师来了。\n王老师（真人咨询师）: 我在。\n小禾: 又是我。\n"


def test_in_the_terminal_a_human_is_named_as_one() -> None:
    console = Console(file=io.StringIO(), width=60)
    Terminal(Words("en"), "Xiaohe", console).say(SAID)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.index("Note") < shown.index("王老师 (human counsellor)") < shown.index("Xiaohe")
