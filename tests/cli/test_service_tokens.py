"""Tokens of programs, and roles in one project, by command."""

from __future__ import annotations

import json

from tests.cli.command import Command


def test_a_token_is_made_listed_and_called_back(heartrule: Command) -> None:
    assert heartrule("accounts", "add", "wang", "--role", "counsellor").returncode == 0
    assert "service-tokens add" in heartrule("service-tokens", "--lang", "en").stdout
    wanted = ["--account", "wang", "--scope", "desk.read", "--scope", "figures", "--days", "30"]
    made = heartrule("service-tokens", "add", "nightly report", *wanted, "--lang", "en")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("hrs_")
    listed = json.loads(heartrule("service-tokens", "--format", "json").stdout)
    assert [(each["name"], each["account"], each["scopes"]) for each in listed] == [
        ("nightly report", "wang", ["desk.read", "figures"])
    ]
    assert listed[0]["id"] in made.stderr
    shown = heartrule("service-tokens", "--lang", "zh").stdout
    assert "nightly report" in shown
    assert "还没有用过" in shown
    assert made.stdout.strip() not in shown
    assert heartrule("service-tokens", "revoke", listed[0]["id"], "--lang", "en").returncode == 0
    again = heartrule("service-tokens", "revoke", listed[0]["id"], "--lang", "en")
    assert (again.returncode, "no token" in again.stderr) == (2, True)


def test_a_token_may_no_more_than_its_account(heartrule: Command) -> None:
    assert heartrule("accounts", "add", "wang", "--role", "counsellor").returncode == 0
    for scope in ("scripts.write", "everything"):
        ran = heartrule("service-tokens", "add", "p", "--account", "wang", "--scope", scope, "--lang", "en")
        assert (ran.returncode, "the account may use itself" in ran.stderr) == (2, True)
    ran = heartrule("service-tokens", "add", "p", "--account", "nobody", "--scope", "desk.read", "--lang", "en")
    assert (ran.returncode, "Nobody signs in" in ran.stderr) == (2, True)


def test_a_role_in_one_project_is_given_and_taken_away(heartrule: Command) -> None:
    assert heartrule("accounts", "add", "wang", "--role", "counsellor").returncode == 0
    of = ["wang", "--role", "reviewer", "--project", "p-1"]
    given = heartrule("accounts", "grant", *of, "--lang", "en")
    assert given.returncode == 0, given.stderr
    assert "reviewer @ p-1" in given.stdout
    listed = json.loads(heartrule("accounts", "--format", "json").stdout)
    assert listed[0]["granted"] == [{"role": "reviewer", "project": "p-1"}]
    assert "p-1" not in heartrule("accounts", "grant", *of, "--take-away").stdout
    assert heartrule("accounts", "grant", "wang", "--role", "administrator", "--project", "p").returncode == 2
