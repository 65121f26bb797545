"""How long one waits where the model takes as long as a hosted small one does: turns of the intake over HTTP, and how
soon the judge of danger has said what it says, behind which the fixed words of the crisis technique need no model.

    python -m bench.waiting [--conversations 12]

Times to the first token are drawn from a lognormal distribution with the median and 95th percentile, and tokens come at
the rate, that were measured for GPT-4o-mini in 10,080 probes over seven days (Jonathan Wrede, "I monitored 6 LLM APIs
for 7 days", jonathanwrede.de: 645 ms, 1,094 ms, 105.3 tokens a second). The draws are the same in every run. The aims
are those of the architecture: a turn's 95th percentile below 3 s, danger that a judge finds below 1 s.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
from bench.intake import judged
from bench.intake.conversation import conversation
from bench.intake.measure import slowest, stub
from bench.intake.sides import Ours
from bench.over_http import server, spread

MEDIAN, P95, RATE = 0.645, 1.094, 105.3
SPREAD = math.log(P95 / MEDIAN) / 1.645
TURN, DANGER = 3.0, 1.0
"""Seconds that the 95th percentile may take."""


def is_judge(call: Mapping[str, Any]) -> bool:
    return "verdicts" in json.dumps(call["schema"] or {})


async def held(address: str, pid: int, url: str, conversations: int) -> dict[str, list[float]]:
    """Seconds by what was waited for."""
    found: dict[str, list[float]] = {"turn": [], "first": [], "verdict": [], "judge": []}
    async with Ours.at(address, pid, events=True) as ours, httpx2.AsyncClient(timeout=60) as http:
        for number in range(conversations + 1):
            talk = await ours.begun()
            for answer in conversation().answers:
                await http.get(url.replace("/v1", "/calls"))
                span = await talk.say(answer.says)
                calls = (await http.get(url.replace("/v1", "/calls"))).json()
                if not number:
                    continue  # the first warms everything up
                found["turn"].append(span.ended - span.began)
                found["first"].append(span.first - span.began)
                for call in filter(is_judge, calls):
                    found["verdict"].append(call["ended"] - span.began)
                    found["judge"].append(call["ended"] - call["began"])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=12)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        project = judged.project(Path(name) / "project")
        with (
            stub(MEDIAN, RATE, spread=SPREAD) as url,
            server(Path(name) / "data", project, url) as (address, pid),
        ):
            found = asyncio.run(held(address, pid, url, asked.conversations))
    model = f"{MEDIAN * 1e3:.0f} ms to the first token in the middle, {P95 * 1e3:.0f} p95, {RATE} tokens a second"
    print(f"{len(found['turn'])} turns with a model of {model}:")
    print(spread("a turn", found["turn"]) + f" (aim {TURN:.0f} s at p95)")
    print(spread("until something can be read", found["first"]))
    print(spread("until the judge has said what it says", found["verdict"]) + f" (aim {DANGER:.0f} s at p95)")
    print(spread("of it, the judge's own", found["judge"]))
    print(f"  ours, of the slowest twentieth: {(slowest(found['verdict']) - slowest(found['judge'])) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
