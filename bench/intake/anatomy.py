"""Call by call, what our side asks in the six turns: where the tokens go.

    python -m bench.intake.anatomy [--text N]

A line for each call: when it began and ended in its turn, its prompt's tokens, how many of them repeat a call of an
earlier turn, the answer's tokens, how the prompt begins. ``--text`` prints the whole prompts and answers of turn N too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2
from bench.intake import judged, tokens
from bench.intake.conversation import conversation
from bench.intake.measure import stub
from bench.intake.sides import Ours
from bench.over_http import server

BEGINS = 26
"""Characters of a prompt that are shown."""
LATENCY = 0.3


async def held(address: str, pid: int, url: str) -> list[tuple[float, list[dict[str, Any]]]]:
    """Each turn's beginning and calls."""
    found = []
    async with Ours.at(address, pid) as ours, httpx2.AsyncClient(timeout=60) as http:
        talk = await ours.begun()
        for answer in conversation().answers:
            said = await talk.say(answer.says)
            calls = (await http.get(url.replace("/v1", "/calls"))).json()
            found.append((said.began, calls))
    return found


def told(turns: Sequence[tuple[float, list[dict[str, Any]]]], text: int | None) -> None:
    earlier: list[tuple[int, ...]] = []
    for number, (began, calls) in enumerate(turns, 2):
        print(f"turn {number}")
        prompts = [tokens.prompt(call["messages"]) for call in calls]
        for call, prompt in sorted(zip(calls, prompts, strict=True), key=lambda each: float(each[0]["began"])):
            when = f"{(call['began'] - began) * 1e3:5.0f}–{(call['ended'] - began) * 1e3:5.0f} ms"
            same = tokens.repeated(prompt, earlier)
            begins = " ".join(call["messages"][0]["content"].split())[:BEGINS]
            said = tokens.count(call["answer"])
            print(f"  {when}  prompt {len(prompt):5}  repeats {same:5}  answer {said:4}  {begins}…")
            if number == text:
                whole_text(call)
        whole, less = sum(map(len, prompts)), sum(tokens.discounted(prompt, earlier) for prompt in prompts)
        print(f"  in all {whole} prompt tokens, {less:.0f} with what repeats counted a tenth")
        earlier += prompts


def whole_text(call: Mapping[str, Any]) -> None:
    for message in call["messages"]:
        print(f"----- {message['role']}, {tokens.count(message['content'])} tokens\n{message['content']}")
    schema = json.dumps(call["schema"], ensure_ascii=False)
    print(f"----- schema, {tokens.count(schema)} tokens that are counted nowhere")
    print(f"----- answer\n{call['answer']}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        project = judged.project(Path(name) / "project")
        with stub(LATENCY) as url, server(Path(name) / "data", project, url) as (address, pid):
            turns = asyncio.run(held(address, pid, url))
    told(turns, options.text)


if __name__ == "__main__":
    main()
