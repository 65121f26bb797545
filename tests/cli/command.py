"""The real command with a data folder of its own and no model: in this process, or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

from heartrule.cli.main import app

SCRIPT = """\
sessions:
  - session: 见面
    id: hello
    declare:
      - {var: 称呼, define: 来访者希望被怎样称呼}
    phases:
      - phase: 开场
        id: opening
        milestone: 认识了
        steps:
          - topic: 称呼
            id: name
            actions:
              - {type: say, content: 你好。}
              - type: ask
                id: ask_name
                content: 怎么称呼你？
                output:
                  - {get: 称呼, define: 来访者希望被怎样称呼}
      - phase: 心情
        id: mood
        steps:
          - topic: 心情
            id: mood_topic
            actions:
              - {type: say, content: "{称呼}，这两周常觉得没意思吗？"}
              - type: user_option
                id: pick
                var: 频率
                choices:
                  - {value: A, label: 几乎没有}
                  - {value: B, label: 大多数日子}
              - {type: user_say, id: go, content: 我们继续吧}
              - {type: say, content: 谢谢你，今天先到这里。}
"""
LINES = ["小林", "大多数日子", "我们继续吧"]


@dataclass(frozen=True)
class Ran:
    returncode: int
    stdout: str
    stderr: str


@dataclass
class Command:
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def variables(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
        for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
            kept.pop(name, None)
        ours = {"LANG": "zh_CN.UTF-8", "HEARTRULE_DATA": str(self.data), "HEARTRULE_PREPARE": "no"}
        return {**kept, **ours, **self.environment}

    def line(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "heartrule", *arguments]

    def __call__(self, *arguments: str, lines: list[str] | str = "") -> Ran:
        """Runs the command in this process, as its entry point does."""
        given = lines if isinstance(lines, str) else "".join(f"{line}\n" for line in lines)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            for name in {*os.environ, *self.variables()}:
                patch.delenv(name, raising=False)
            result = CliRunner().invoke(app, arguments, input=given, env=self.variables())
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    def alone(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Runs the command in a process of its own."""
        return subprocess.run(
            self.line(*arguments),
            input=given,
            capture_output=True,
            env=self.variables(),
            cwd=self.folder,
            timeout=120,
            check=False,
        )

    def running(self, *arguments: str) -> subprocess.Popen[str]:
        """Starts the command in a process of its own, with pipes at its ends."""
        return subprocess.Popen(
            [sys.executable, "-m", "heartrule", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.variables(),
            cwd=self.folder,
            encoding="utf-8",
        )


def prepared(folder: Path) -> Command:
    """The command in a folder that holds ``hello.yaml``."""
    (folder / "hello.yaml").write_text(SCRIPT, encoding="utf-8")
    return Command(folder)
