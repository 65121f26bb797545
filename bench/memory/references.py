"""Whom a pronoun means, and how it was a month ago: answered from what is remembered, or asked back.

    python -m bench.memory.references [--show]

What is told stands in the store as a session tells it. ``gold`` is whom it means, or that it must be asked. Where it
can be told, asking back counts as right as well, and is counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from heartrule.memory import derivation
from heartrule.memory.session_material import FormScore, SaidMessage, SessionMaterial
from heartrule.sessions.clock import Clock
from heartrule.sessions.person_memory import SessionMemory
from heartrule.store import Store
from heartrule.store.records import NewSession

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
ASK = "ask"
MEN = {
    "zh": {
        "father": "我爸",
        "ex_boyfriend": "前男友",
        "younger_brother": "我弟弟",
        "son": "我儿子",
        "husband": "我老公",
    },
    "en": {"father": "my dad", "ex_boyfriend": "my ex-boyfriend", "younger_brother": "my younger brother"}
    | {"son": "my son", "husband": "my husband"},
}
WOMEN = {
    "zh": {
        "mother": "我妈",
        "ex_girlfriend": "前女友",
        "younger_sister": "我妹妹",
        "daughter": "我女儿",
        "wife": "我老婆",
    },
    "en": {"mother": "my mum", "ex_girlfriend": "my ex-girlfriend", "younger_sister": "my younger sister"}
    | {"daughter": "my daughter", "wife": "my wife"},
}
EARLIER = {
    "zh": ("{}上个月住院了。", "{}很久没跟我联系。", "小时候{}总是骂我。", "我有点怕{}。"),
    "en": (
        "{} was in hospital last month.",
        "I haven't heard from {} in ages.",
        "{} used to shout at me.",
        "{} scares me.",
    ),
}
JUST = {
    "zh": ("{}昨晚来电话了。", "周末见到{}了。", "我又梦见{}。", "{}让我很生气。"),
    "en": ("{} rang last night.", "I saw {} at the weekend.", "I dreamt of {} again.", "{} made me angry."),
}
BETWEEN = {
    "zh": ("今天有点累。", "路上堵车。", "我想想怎么说。", "嗯，是这样。"),
    "en": ("I'm a bit tired today.", "The traffic was bad.", "Let me think how to put it.", "Yes, that's it."),
}
ASKED = {
    "zh": ("{}昨天又发火了，我不知道怎么办。", "我该不该给{}打电话？", "{}会不会觉得我烦？"),
    "en": (
        "{} lost it again yesterday and I don't know what to do.",
        "Should I ring {}?",
        "I wonder what {} thinks of me.",
    ),
}
HE = {"zh": ("他", "他", "他"), "en": ("He", "him", "he")}
SHE = {"zh": ("她", "她", "她"), "en": ("She", "her", "she")}


@dataclass(frozen=True, slots=True)
class Case:
    """``earlier`` was said in another session; ``before`` just now, the newest last."""

    locale: str
    kind: str
    earlier: tuple[str, ...]
    before: tuple[str, ...]
    ask: str
    gold: str


def cases(count: int = 30, seed: int = 5) -> Iterator[Case]:
    """``count`` of each kind in each language."""
    chance = random.Random(seed)
    for locale in ("zh", "en"):
        for _ in range(count):
            male = chance.random() < 0.5
            people, other = (MEN, WOMEN) if male else (WOMEN, MEN)
            one, two = chance.sample(sorted(people[locale]), 2)
            way = chance.randrange(3)
            ask = ASKED[locale][way].format((HE if male else SHE)[locale][way])
            first, second = people[locale][one], people[locale][two]
            apart = other[locale][chance.choice(sorted(other[locale]))]

            def told(kind: Any, who: str, locale: str = locale) -> str:
                text: str = chance.choice(kind[locale]).format(who)
                return text[:1].upper() + text[1:]

            small = chance.sample(BETWEEN[locale], 3)
            both = (told(EARLIER, first), told(EARLIER, second))
            yield Case(locale, "just spoken of", both, (small[0], told(JUST, first)), ask, one)
            yield Case(locale, "a little while ago", both, (told(JUST, first), small[0], small[1]), ask, one)
            yield Case(locale, "only one known", (told(EARLIER, first), told(EARLIER, apart)), (small[0],), ask, one)
            yield Case(locale, "two known", both, tuple(small), ask, ASK)
            yield Case(locale, "nobody known", (told(EARLIER, apart),), (small[0],), ask, ASK)
            joined = f"{told(JUST, first)}{'' if locale == 'zh' else ' '}{told(JUST, second)}"
            yield Case(locale, "two at once", (), (joined,), ask, ASK)
            partner = "我对象" if locale == "zh" else "my partner"
            yield Case(
                locale, "a partner, of no told gender", (told(EARLIER, first), told(EARLIER, partner)), (), ask, ASK
            )
            yield Case(locale, "another in between", both, (told(JUST, first), told(JUST, apart)), ask, one)


class Still(Clock):
    def now(self) -> datetime:
        return NOW


async def answered(store: Store, number: int, case: Case) -> str:
    """Whom memory says it means; "ask" where it says that it must be asked."""
    memory = await _held(store, f"r{number}", case.locale, case.earlier)
    graph = await memory.query_graph(case.ask, case.before)
    meant = graph.meant or ()
    return ASK if graph.must_ask or not meant else meant[0]


async def _held(store: Store, name: str, locale: str, earlier: Sequence[str], scored: Sequence[FormScore] = ()) -> Any:
    person = await store.new_person()
    await store.save_bundle("bundle", ())
    for session, said in ((name, earlier), (f"{name}now", ())):
        at = NOW - timedelta(days=40 if session == name else 0)
        await store.create_session(NewSession(session, person, "bench", "bench/s", "bundle", locale, {}, at, {}))
        lines = [SaidMessage(at_, text, at) for at_, text in enumerate(said, start=1)]
        held = SessionMaterial(session, "s", locale, at, lines, scored=scored if session == name else ())
        await store.recollections.keep(session, derivation.items(held))
    record = await store.session(f"{name}now")
    assert record is not None
    return SessionMemory(store, record, Still(), across=True)


COMPARED = {
    "zh": (
        ("跟一个月前比，我好些了吗？", 30),
        ("和两周前比呢？", 14),
        ("比起三个月前，我的焦虑怎么样？", 90),
        ("上个月我的分数是多少？", 30),
    ),
    "en": (
        *(("Am I better compared with a month ago?", 30), ("And compared with two weeks ago?", 14)),
        *(("How is my anxiety next to three months ago?", 90), ("What was my score last month?", 30)),
    ),
}


async def compared(store: Store, number: int, locale: str, ask: str, days: int, chance: random.Random) -> str:
    """Whether what comes back holds the score of then and the newest one: "right", "none" (to be asked) or "wrong"."""
    scored = [
        FormScore("gad", "total", "GAD-7", float(chance.randint(0, 21)), "", at + 1, NOW - timedelta(days=7 * at))
        for at in range(16)
    ]
    memory = await _held(store, f"c{number}", locale, ["…"] * 17, scored)
    hits = await memory.retrieve_memory(ask, 8)
    found = {each.item.at for each in hits if each.item.kind == "score"}
    then = min(scored, key=lambda each: abs((NOW - each.at).days - days)).at
    if not found:
        return "none"
    return "right" if {then, NOW} <= found else "wrong"


async def run(folder: Path, *, show: bool) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    with Store.open(folder, synchronous="OFF") as store:
        for number, case in enumerate(cases()):
            found = await answered(store, number, case)
            right = "right" if found == case.gold else "asked back" if found == ASK else "wrong"
            counts[case.kind, right] += 1
            counts["all", right] += 1
            if show and right == "wrong":
                print(case, found)
        chance = random.Random(3)
        for number in range(80):
            locale = ("zh", "en")[number % 2]
            ask, days = chance.choice(COMPARED[locale])
            found = await compared(store, number, locale, ask, days, chance)
            counts["compared with then", found] += 1
            if show and found == "wrong":
                print(ask)
    for kind in dict.fromkeys(kind for kind, _ in counts):
        print(kind, {name: count for (of, name), count in sorted(counts.items()) if of == kind})


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m bench.memory.references")
    options.add_argument("--show", action="store_true")
    given: Any = options.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(run(Path(home), show=given.show))


if __name__ == "__main__":
    main(sys.argv[1:])
