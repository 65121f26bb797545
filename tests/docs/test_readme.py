"""What the READMEs and the guides tell people to do works, and what they show was really said."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browser.served import free_port
from tests.cli.command import Command
from tests.docs.blocks import Block, blocks
from tests.house.tree import ROOT, tracked

from heartrule.llm.config import VARIABLES, LlmSettings

READMES = (ROOT / "README.md", ROOT / "README.zh-CN.md")
PAGES = (*READMES, ROOT / "CONTRIBUTING.md", ROOT / "docs/script-guide.md", ROOT / "docs/zh/script-guide.md")
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
LINES = {"hello.yaml": ["May", "4"], "hello.yaml --person may": ["May"], "hello.yaml --person lin": ["小林"]}


def commands() -> Iterator[tuple[Path, str]]:
    for block in blocks(*PAGES):
        if block.kind == "console":
            for line in block.text.splitlines():
                yield block.page, line.strip()


def told(program: str) -> list[tuple[Path, str]]:
    return [(page, line) for page, line in commands() if line.split()[0] == program]


def of(page: Path, kind: str) -> list[Block]:
    return [block for block in blocks(page) if block.kind == kind]


def test_only_commands_that_are_run_here_are_told() -> None:
    assert {line.split()[0] for _, line in commands()} == {"make", "heartrule", "export"}


@pytest.mark.parametrize(("page", "line"), told("heartrule"), ids=str)
def test_heartrule_commands(page: Path, line: str, heartrule: Command) -> None:
    hello = next(b.text for b in blocks(page) if b.kind == "yaml" and "id: hello" in b.text and "ask" in b.text)
    (heartrule.folder / "hello.yaml").write_text(hello, encoding="utf-8")
    (heartrule.folder / "my_project").mkdir()
    for block in blocks(page):
        if block.kind == "yaml" and block.text.startswith("id: my_project"):
            (heartrule.folder / "my_project" / "project.yaml").write_text(block.text, encoding="utf-8")
            (heartrule.folder / "my_project" / "hello.yaml").write_text(hello, encoding="utf-8")
    _, command, *arguments = line.split()
    lines = LINES.get(" ".join(arguments), [])
    ran = heartrule(command, *arguments, lines=lines)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("page", READMES, ids=str)
def test_make_chat_opens_what_it_says(page: Path, tmp_path: Path) -> None:
    for line in [line for where, line in told("make") if where == page and line.startswith("make chat")]:
        script = re.search(r'SCRIPT="?([^"]+)"?', line)
        ran = subprocess.run(
            ["make", "chat", *([f"SCRIPT={script[1]}"] if script else [])],
            cwd=ROOT,
            env=os.environ | {"HEARTRULE_DATA": str(tmp_path / "data"), "LANG": "en_US.UTF-8"},
            input="/quit\n",
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "heartrule chat --resume" in ran.stdout


def test_make_run_serves_the_page(tmp_path: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=ROOT,
        env=os.environ | {"HEARTRULE_DATA": str(tmp_path / "data"), "LANG": "en_US.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        encoding="utf-8",
    )
    try:
        page = fetched(f"http://127.0.0.1:{port}/", process)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert "<heart-rule>" in page
    assert f"http://127.0.0.1:{port}" in said
    assert "Traceback" not in said


def fetched(address: str, process: subprocess.Popen[str]) -> str:
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                text: str = answer.read().decode()
                return text
        except OSError:
            time.sleep(0.2)
    return "no answer"


def test_other_targets_exist() -> None:
    for _, line in told("make"):
        planned = subprocess.run(["make", "-n", line.split()[1]], cwd=ROOT, capture_output=True, check=False)
        assert planned.returncode == 0, line


@pytest.mark.parametrize("page", READMES, ids=str)
def test_the_settings_for_a_model_are_those_that_are_read(page: Path) -> None:
    names = {line.split()[1].partition("=")[0] for where, line in told("export") if where == page}
    assert names == set(VARIABLES)
    (toml,) = of(page, "toml")
    settings = LlmSettings.model_validate(tomllib.loads(toml.text)["llm"])
    assert settings.configured


def test_the_transcripts_are_what_is_said() -> None:
    for page in READMES:
        assert [block.mark for block in of(page, "text")] == ["transcript"]
    ran = subprocess.run(
        [sys.executable, "tools/transcripts.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_list_of_decisions_is_up_to_date() -> None:
    ran = subprocess.run(
        [sys.executable, "tools/decision_index.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("page", [path for path in tracked() if path.suffix == ".md"], ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for match in LINK.finditer(text):
        target, _, anchor = match["target"].partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), f"{page.relative_to(ROOT)} links to {target}"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{page.relative_to(ROOT)} links to #{anchor}"


def anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = set(re.findall(r'<a id="([^"]+)">', text))
    return named | {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
