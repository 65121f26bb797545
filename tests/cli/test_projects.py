"""``--project``: a folder that is not there, or with nothing in it to hold, is said and not passed over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.command import Command

COMMANDS = [
    ["serve", "--port", "0"],
    ["chat", "hello.yaml"],
    ["test", "."],
    ["scripts"],
    ["simulate", "hello.yaml"],
    ["coverage"],
    ["forms", "list"],
]


def folder_of(heartrule: Command, name: str) -> Path:
    folder = heartrule.folder / name
    if name != "missing":
        (folder / "below").mkdir(parents=True)
    if name == "empty_project":
        (folder / "project.yaml").write_text("project: x\nid: x\n", encoding="utf-8")
    if name == "no_project":
        (folder / "script.yaml").write_text("sessions: []\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
@pytest.mark.parametrize("name", ["missing", "empty", "empty_project", "no_project"])
@pytest.mark.parametrize("lang", ["zh_CN.UTF-8", "en_US.UTF-8"])
def test_it_is_an_error_that_names_it(arguments: list[str], name: str, lang: str, heartrule: Command) -> None:
    folder = folder_of(heartrule, name)
    ran = replace(heartrule, environment={"LC_ALL": lang})(*arguments, "--project", str(folder))
    assert ran.returncode == 2
    assert str(folder) in ran.stderr
    assert ran.stdout == ""
    assert ("There is no" in ran.stderr) == lang.startswith("en")


def test_one_with_scripts_is_taken_wherever_they_lie(heartrule: Command) -> None:
    folder = heartrule.folder / "more"
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "project.yaml").write_text("project: 我的\nid: mine\n", encoding="utf-8")
    script = (heartrule.folder / "hello.yaml").read_text(encoding="utf-8")
    (folder / "mine" / "hello.yml").write_text(script, encoding="utf-8")
    for root in (folder, folder / "mine"):
        ran = heartrule("scripts", "--project", str(root))
        assert ran.returncode == 0, ran.stderr
        assert "mine/hello" in ran.stdout
