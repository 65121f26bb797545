"""Accounts in the terminal: for who has the data folder, and for who is locked out."""

from __future__ import annotations

import json

from tests.cli.command import Command


def test_the_first_link_is_shown_until_somebody_has_an_account(heartrule: Command) -> None:
    none = heartrule("accounts", "--lang", "en")
    assert "Nobody can sign in yet" in none.stdout
    first = heartrule("accounts", "link", "--lang", "zh")
    assert first.stdout.startswith("/staff/#/link/")
    assert "第一个管理员" in first.stderr
    again = heartrule("accounts", "link")
    assert again.stdout != first.stdout
    made = heartrule("accounts", "add", "wang", "--role", "administrator", "--role", "counsellor", "--project", "cbt")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("/staff/#/link/")
    refused = heartrule("accounts", "link", "--lang", "en")
    assert refused.returncode == 2
    assert "Say whose link you want" in refused.stderr
    (listed,) = json.loads(heartrule("accounts", "--format", "json").stdout)
    assert (listed["roles"], listed["projects"], listed["invited"]) == (["counsellor", "administrator"], ["cbt"], True)


def test_who_is_locked_out_is_let_in_again(heartrule: Command) -> None:
    heartrule("accounts", "add", "wang")
    assert heartrule("accounts", "link", "Wang").stdout.startswith("/staff/#/link/")
    assert "disabled" in heartrule("accounts", "disable", "wang", "--lang", "en").stdout
    assert "disabled" not in heartrule("accounts", "enable", "wang", "--lang", "en").stdout
    assert heartrule("accounts", "reset-codes", "wang").returncode == 0
    for wrong in (("link", "nobody"), ("add", "wang"), ("add", " x"), ("reset-codes", "nobody")):
        answer = heartrule("accounts", *wrong)
        assert answer.returncode == 2, wrong
        assert answer.stderr
    deeds = [each["what"] for each in json.loads(heartrule("audit", "--format", "json").stdout)]
    assert deeds == ["codes", "account", "account", "link", "account"]
