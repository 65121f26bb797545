"""Writes the transcripts in the READMEs anew: holds each session in script mode with the lines that were typed in the
transcript that stands there. With ``--check`` it writes nothing and fails when one is not what would be said today."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "README.zh-CN.md")
BLOCK = re.compile(r"<!-- transcript: (?P<command>.+?) -->\n```text\n(?P<text>.*?)```", re.DOTALL)


def held(command: str, lines: list[str]) -> str:
    """What is said after the notices, up to where the lines run out."""
    with tempfile.TemporaryDirectory() as data:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
        ran = subprocess.run(
            [sys.executable, "-m", "heartrule", "chat", *command.split(), "--data", data, "--lang", "en"],
            env=kept,
            cwd=data,
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    if ran.returncode != 3:
        raise RuntimeError(f"{command} ended with {ran.returncode}: {ran.stderr or ran.stdout}")
    said = ran.stdout.partition("\n\n")[2]
    return said.partition("The input has run out")[0]


def renewed(text: str) -> str:
    def again(match: re.Match[str]) -> str:
        lines = re.findall(r"^> ?(.*)$", match["text"], re.MULTILINE)
        return f"<!-- transcript: {match['command']} -->\n```text\n{held(match['command'], lines)}```"

    return BLOCK.sub(again, text)


def main() -> int:
    stale = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = renewed(text)
        if new != text:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    for name in stale:
        print(f"{name} is not up to date; run: make docs" if "--check" in sys.argv else f"Wrote {name}.")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
