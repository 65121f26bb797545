"""Nothing that was shown is ever withdrawn: sessions held by a model that streams, stumbles and breaks off, for people
who interrupt, correct themselves and speak of danger, while the program crashes in between. Replies are stopped and
break off while a sentence of them is being saved, too.

Whoever looks on writes down every character they were shown; each must stand at the beginning of its message in the one
final transcript, and what people said must stand there once. Every session is then worked out again from its records,
and comes to the same.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Cut, Heard, Reply, Request
from heartrule.sessions import Closed, Outcome, Sessions, Settings, open_sessions
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock

SCRIPT = """
sessions:
  - session: 走样
    id: shown
    locale: zh-CN
    declare:
      - {var: 心情, type: text, define: 心情, listen: {scope: session, mode: passive}}
      - {var: 睡眠, type: text, define: 睡眠, listen: {scope: session, mode: passive}}
      - {var: 念头, type: boolean, risk: true, define: 有没有不想活的念头, listen: {scope: session, mode: passive}}
      - {var: 几分, type: integer, range: [0, 10], define: 难受有几分}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            repeat: {until: {judge: 来访者说够了, default: false}, max: 9}
            actions:
              - {type: ai_ask, id: open, content: 了解心情, output: [{get: 心情}], max_rounds: 3}
              - {type: ai_ask, id: sleep, content: 了解睡眠, output: [{get: 睡眠}], max_rounds: 3}
              - {type: ai_ask, id: more, content: "针对{心情}再问一点", output: [{get: 起因}], max_rounds: 2}
              - {type: ask, id: score, content: 难受有几分？, output: [{get: 几分}]}
              - type: ai_say
                id: tell
                content: "讲讲{睡眠}"
                condition: {judge: 来访者想听, default: true}
                max_rounds: 2
"""
SAID = (
    "心里堵得慌",
    "睡不着",
    "7",
    "其实不是堵，是空",
    "没有",
    "你是谁",
    "嗯",
    "最近工作太多",
    "好多了",
    "没有想过",
)
GRAVE, DARK = "我不想活了", "活着没意思"
ALARM = "risk variable of 念头"
SENTENCES = ("听着很难。", "我在。", "这样有多久了？", "慢慢说。", "你愿意多说一点吗？", "嗯……", "好的，\n我们接着看。")


@dataclass
class Seen:
    """What one person has been shown, by message number, and what went on meanwhile."""

    shown: dict[int, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def released(self, number: int, offset: int, text: str) -> None:
        known = self.shown.get(number, "")
        assert offset <= len(known), f"message {number}: a gap before {offset}"
        whole = known[:offset] + text
        assert whole.startswith(known) or known.startswith(whole), f"message {number} was changed"
        self.shown[number] = max(whole, known, key=len)
        self.counts["parts"] += 1


class Rambling:
    """A provider whose replies are several sentences in uneven pieces, and that breaks off now and then."""

    name = "rambling"

    def __init__(self, random: Random, counts: Counter[str]) -> None:
        self._random, self._counts = random, counts
        self._broken = 0

    def break_off(self) -> None:
        """What is being said breaks off with its next piece."""
        self._broken += 1

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        random = self._random
        data = counsel(request)
        properties = (request.schema or {}).get("properties", {})
        if "content" in properties:
            data["content"] = "".join(random.choice(SENTENCES) for _ in range(random.randrange(0, 5)))
        if "values" in properties and isinstance(data.get("values"), list) and random.random() < 0.3:
            data["values"] = [{"name": "心情", "value": random.choice(SAID), "evidence": random.choice(SAID)}]
            if "content" not in properties and random.random() < 0.1:
                shown = request.messages[-1].text
                said = next((words for words in SAID if words in shown), "")
                data["values"].append({"name": "念头", "value": True, "evidence": said})
        text, at = json.dumps(data, ensure_ascii=False), 0
        breaks = random.randrange(len(text)) if random.random() < 0.15 else None
        await asyncio.sleep(random.random() * 0.004)
        broken = self._broken
        while at < len(text):
            size = random.choice((3, 8, 20))
            if (breaks is not None and at >= breaks) or ("content" in properties and broken < self._broken):
                self._counts["broken off"] += 1
                raise Cut
            if heard is not None:
                heard(text[at : at + size])
            at += size
            if "content" in properties:
                await asyncio.sleep(random.random() * 0.006)
        return Reply(text)

    async def aclose(self) -> None:
        pass


class Crash(Exception):
    """The program ends here."""


def disturb(sessions: Sessions, session: str, provider: Rambling, random: Random, counts: Counter[str]) -> None:
    """Now and then a reply is stopped, or breaks off, while answers and sentences are being saved."""
    saving = sessions.store.save_calls

    async def slowly(*given: Any, **more: Any) -> None:
        chance = random.random()
        if chance < 0.03:
            counts["stopped while it was saved"] += await sessions.stop(session)
        elif chance < 0.1:
            counts["broken off while it was saved"] += 1
            provider.break_off()
        await asyncio.sleep(random.random() * 0.004)
        await saving(*given, **more)

    sessions.store.save_calls = slowly  # type: ignore[method-assign]


async def look_on(sessions: Sessions, session: str, seen: Seen, crash: float, random: Random) -> None:
    """Write down what is shown; now and then the program crashes just after a part was."""
    async with sessions.watch(session) as watch:
        async for news in watch:
            if news.kind == "released":
                seen.released(news.number or 0, news.offset or 0, news.text or "")
                if random.random() < crash:
                    seen.counts["crashes"] += 1
                    raise Crash


async def speak(sessions: Sessions, session: str, last: Outcome, key: str, random: Random, seen: Seen) -> Outcome:
    """One turn: words, sometimes more of them while they are being answered, sometimes the wish to hear no more."""
    after = last.messages[-1].number if last.messages else None
    chance = random.random()
    text = GRAVE if chance < 0.02 else DARK if chance < 0.04 else random.choice(SAID)
    takes = [asyncio.create_task(sessions.take(session, Entry(key, "message", text=text, after=after)))]
    if random.random() < 0.2:
        await asyncio.sleep(random.random() * 0.03)
        entry = Entry(f"{key} more", "message", text=random.choice(SAID), after=after)
        takes.append(asyncio.create_task(sessions.take(session, entry)))
    if random.random() < 0.05:
        await asyncio.sleep(random.random() * 0.02)
        seen.counts["stopped"] += await sessions.stop(session)
    try:
        return max(await asyncio.gather(*takes), key=lambda outcome: outcome.turn)
    finally:
        for take in takes:
            take.cancel()
        await asyncio.gather(*takes, return_exceptions=True)


async def live(folder: Path, session: str, seen: Seen, turns: int, random: Random) -> bool:
    """Hold the session until it ends or the program crashes. Whether there is more to say."""
    provider = Rambling(random, seen.counts)
    model = Model([provider], Policy(waits=(0.001,) * 3, jitter=0.0))
    async with open_sessions(settings(folder, model)) as sessions:
        disturb(sessions, session, provider, random, seen.counts)
        await sessions.sweep()
        looking = asyncio.create_task(look_on(sessions, session, seen, 0.06, random))
        await asyncio.sleep(0)
        try:
            last = await sessions.start(session)
            while (done := (await sessions.session(session)).seq) < turns:
                talking = asyncio.create_task(speak(sessions, session, last, f"{done} {random.random()}", random, seen))
                await asyncio.wait((talking, looking), return_when=asyncio.FIRST_COMPLETED)
                if looking.done():
                    talking.cancel()
                    await asyncio.gather(talking, return_exceptions=True)
                    with suppress(Crash):
                        looking.result()
                    return True
                last = await talking
        except Closed:
            return False
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
    return False


def settings(folder: Path, model: Model) -> Settings:
    return Settings(data=folder / "data", projects=[], model=model, clock=MovedClock(), synchronous="OFF")


async def look_through(folder: Path, session: str, seen: Seen) -> int:
    async with open_sessions(settings(folder, Model())) as sessions:
        await sessions.sweep()
        messages = await sessions.store.messages(session, limit=100_000)
        inbox = await sessions.store.inbox(session)
        record = await sessions.session(session)
        async for _ in sessions.replay(session):
            seen.counts["worked out again"] += 1
        events = await sessions.store.events(session)
        seen.counts["crises by a variable"] += sum(
            event.kind == "topic" and event.data["state"] == "suspended" and event.data["cause"] == ALARM
            for event in events
        )
    texts = {message.number: message for message in messages}
    for number, shown in seen.shown.items():
        assert number in texts, f"message {number} was shown and is not there"
        assert texts[number].sender == "ai"
        assert texts[number].text.startswith(shown), (number, shown, texts[number].text)
    said = [item.entry.text for item in inbox if item.entry.kind == "message"]
    assert sorted(said) == sorted(message.text for message in messages if message.sender == "person")
    assert [message.number for message in messages] == list(range(1, len(messages) + 1))
    return record.seq


def one_session(random: Random, turns: int, counts: Counter[str]) -> int:
    seen = Seen(counts=counts)

    async def whole(folder: Path) -> int:
        path = folder / "shown.yaml"
        path.write_text(SCRIPT, encoding="utf-8")
        async with open_sessions(settings(folder, Model())) as sessions:
            session = (await sessions.create(str(path))).id
        while await live(folder, session, seen, turns, random):
            pass
        return await look_through(folder, session, seen)

    with TemporaryDirectory() as name:
        held = asyncio.run(whole(Path(name)))
    counts["messages shown"] += len(seen.shown)
    return held


def run(turns: int, seed: int, each: int = 25) -> Counter[str]:
    """At least so many turns; what happened in them."""
    counts, random = Counter[str](), Random(seed)
    while counts["turns"] < turns:
        counts["turns"] += one_session(random, each, counts)
        counts["sessions"] += 1
    return counts


def main() -> None:
    turns, seed = (int(argument) for argument in (sys.argv[1:] or ["1000", "1"]))
    counts: dict[str, Any] = dict(run(turns, seed))
    print("Nothing shown was withdrawn: " + ", ".join(f"{count} {what}" for what, count in counts.items()))  # noqa: T201


if __name__ == "__main__":
    main()
