"""kill -9 of the server at random moments under concurrent sessions, held by our own client in a process of its own.

    python -m tests.chaos.served_kills [KILLS] [SEED] [VISITORS]

The server runs in script mode on one data folder and one port, and is started again after every death; nobody tells the
visitors. When all sessions have ended, each visitor's words stand in the store once and in their order, what stood on
their page is what stands in the store, and every session has one unbroken transcript.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import IO, Any

from tests.browser.served import Served
from tests.house.tree import ROOT

SCRIPTS = ("cbt/abc_intro", "cbt/first_assessment")
LONGEST = 2.5
"""Seconds that a server lives at most once it is ready."""
SETTINGS = "[server.rates]\ntoken = 0\naddress = 0\nsessions = 0\nturns = 0\n"


class Lost(AssertionError):
    pass


def visitors(url: str, count: int, seed: int, said: IO[str]) -> subprocess.Popen[str]:
    program = ROOT / "tests" / "chaos" / "visitors.mjs"
    # Where the program stands there are no packages: it is run as if it stood in the workspace.
    place = ROOT / "web" / "apps" / "visitor" / "node_modules" / ".visitors.mjs"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
    command = ["node", str(place), url, str(count), str(seed), *SCRIPTS]
    return subprocess.Popen(command, stdout=said, text=True, cwd=ROOT / "web")


def run(kills: int, seed: int, count: int, folder: Path) -> tuple[int, int]:
    """How often the server was killed and how many sessions were held to their end, in rounds of ``count`` visitors."""
    random = Random(seed)
    deaths = rounds = 0
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "data" / "heartrule.toml").write_text(SETTINGS)
    served = Served(folder, cwd=folder / "data")
    served.start()
    try:
        while deaths < kills:
            with (folder / "said.json").open("w+", encoding="utf-8") as said:
                process = visitors(served.url, count, seed + rounds, said)
                while process.poll() is None:
                    if deaths < kills:
                        time.sleep(random.uniform(0.05, LONGEST))
                        served.kill()
                        deaths += 1
                        served.start()
                    else:
                        time.sleep(0.1)
                if process.returncode != 0:
                    raise Lost(f"the visitors failed with {process.returncode}")
                said.seek(0)
                for visit in json.load(said):
                    check(visit, served.messages(visit["session"], visit["token"]))
            rounds += 1
    finally:
        served.stop()
    return deaths, rounds * count


def check(visit: dict[str, Any], stored: Sequence[dict[str, Any]]) -> None:
    """Nothing lost, nothing doubled, nothing out of order, and the page showed what is kept."""
    name = f"{visit['script']} {visit['session']}"
    if [each["seq"] for each in stored] != list(range(1, len(stored) + 1)):
        raise Lost(f"{name}: the numbers of the messages have gaps")
    shown = [(each["seq"], each["sender"], each["content"]) for each in visit["shown"]]
    if shown != [(each["seq"], each["sender"], each["content"]) for each in stored]:
        raise Lost(f"{name}: the page shows another transcript than the store holds")
    own = [each for each in stored if each["sender"] == "person"]
    if len(own) != len(visit["said"]):
        missing = Counter(each.get("text", "") for each in visit["said"]) - Counter(each["content"] for each in own)
        raise Lost(f"{name}: {len(visit['said'])} things were said, {len(own)} are kept; missing: {dict(missing)}")
    for said, kept in zip(visit["said"], own, strict=True):
        if "text" in said and said["text"] != kept["content"]:
            raise Lost(f"{name}: {said['text']!r} was said, {kept['content']!r} is kept in its place")
        if kept["seq"] <= said["after"]:
            raise Lost(f"{name}: message {kept['seq']} was said after {said['after']} had been seen")


def main(arguments: Sequence[str]) -> None:
    kills, seed, count = (int(each) for each in [*arguments, *("200", "1", "20")[len(arguments) :]][:3])
    began = time.perf_counter()
    with TemporaryDirectory() as name:
        deaths, sessions = run(kills, seed, count, Path(name))
    print(
        f"{deaths} kills of the server under {count} visitors at once, {sessions} sessions: nothing lost, doubled or"
        f" out of order; each page shows what the store holds ({time.perf_counter() - began:.0f} s)"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
