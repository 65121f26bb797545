"""Whom "he" means and how it was a month ago, in the prompts of the turn that says so; asked where nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from tests.sessions.material import Place, run, say, script_file, seen, texts
from tests.sessions.test_memories import Heard

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome, Sessions
from heartrule.sessions import forms as sent
from heartrule.store.records import Entry
from heartrule.testing.counsellor import counsel

SCRIPT = """
forms:
  - form: {form}
    id: mood
    licence: own
    fields:
      - {{id: low, label: {field}, type: slider, ends: [a, b], step: 1, required: true}}
    scores:
      - id: total
        label: {total}
        sum: [low]
        bands: [{{from: 0, to: 4, label: {light}}}, {{from: 5, to: 10, label: {heavy}}}]
sessions:
  - session: s
    id: small
    locale: {locale}
    memory: {{read: {{enabled: {reads}}}}}
    phases:
      - phase: P
        id: talk
        steps:
          - topic: A
            id: fill
            actions:
              - {{type: show_form, id: form, form: mood}}
          - topic: B
            id: talk
            actions:
              - {{type: ai_ask, id: lately, content: {content}, max_rounds: 9, output: [{{get: hours, type: integer}}]}}
"""


@dataclass(frozen=True, slots=True)
class Words:
    script: Mapping[str, str]
    father: str
    friend: str
    nobody: str
    he: str
    which: str
    then: str
    means: str
    several: str
    unknown: str
    both: str
    same: str
    not_then: str
    none: str


WORDS = {
    "zh": Words(
        script={
            "locale": "zh-CN",
            "form": "心情表",
            "field": "低落",
            "total": "总分",
            "light": "轻",
            "heavy": "重",
            "content": "问睡几个小时",
        },
        father="我爸爸上个月住院了",
        friend="前男友很久没跟我联系了",
        nobody="今天有点累",
        he="他又打电话来了",
        which="你说的他，是爸爸还是前男友？",
        then="跟一个月前比好点没有？",
        means="“他”，对话里没有另外说到谁，就是指父亲",
        several="“他”可能是父亲或前男友，记得的分不出是哪一位：对话里也看不出时，先问一句",
        unknown="“他”是谁，没有记着：对话里也看不出时，先问一句",
        both="说到的那时：[2026-11-20] 心情表 总分：8（重）；最近一次：[2026-12-20] 心情表 总分：3（轻）",
        same="说到的那时：[2026-11-20] 心情表 总分：8（重）；之后没有再评过",
        not_then="说到的那时没有评过分，最近一次：[2026-12-20] 心情表 总分：3（轻）。那时怎样，先问来访者",
        none="两边都没有评过分：先问那时和现在各怎样",
    ),
    "en": Words(
        script={
            "locale": "en",
            "form": "Mood",
            "field": "low",
            "total": "Sum",
            "light": "mild",
            "heavy": "severe",
            "content": "ask how many hours they sleep",
        },
        father="My dad was in hospital last month",
        friend="I haven't heard from my ex-boyfriend in ages",
        nobody="I am a bit tired today",
        he="He rang again",
        which="Who do you mean, your dad or your ex-boyfriend?",
        then="Am I better than a month ago?",
        means="Where the conversation speaks of nobody else, “he” means their father",
        several="“he” may be their father or their ex-boyfriend, and what is remembered does not tell which",
        unknown="It is not remembered who “he” is",
        both="About the time they name: [2026-11-20] Mood Sum: 8 (severe); the last one: [2026-12-20] Mood Sum: 3",
        same="About the time they name: [2026-11-20] Mood Sum: 8 (severe); none since",
        not_then="None about the time they name; the last one: [2026-12-20] Mood Sum: 3 (mild). Ask them how it was",
        none="there is no score of either: ask them how it was",
    ),
}
both_languages = pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)


class Talk:
    """One session, in a process that is opened already."""

    def __init__(self, sessions: Sessions, session: str, outcome: Outcome) -> None:
        self.sessions, self.session, self.outcome = sessions, session, outcome

    async def fill(self, low: int) -> None:
        form = self.outcome.request.form
        assert form is not None
        await self._take(Entry("form-0001", "form_submit", text=sent.encode_answers(form.key, {"low": low})))

    async def say(self, *words: str) -> Outcome:
        for each in words:
            await self._take(say(f"said-{self.outcome.turn:04}", each, seen(self.outcome)))
        return self.outcome

    async def _take(self, entry: Entry) -> None:
        self.outcome = await self.sessions.take(self.session, entry)


async def begun(place: Place, sessions: Sessions, person: str | None = None) -> Talk:
    record = await sessions.create(place.script, person=person)
    return Talk(sessions, record.id, await sessions.start(record.id))


def write(place: Place, words: Words, *, reads: bool = True) -> None:
    script_file(place.folder, SCRIPT.format(**words.script, reads=str(reads).lower()))


async def before(place: Place, words: Sequence[str], low: int | None = 8) -> str:
    """A session of a month ago, of a person who wants it known; the person."""
    async with place.open() as sessions:
        talk = await begun(place, sessions)
        person = (await sessions.session(talk.session)).person
        await sessions.store.recollections.choose(person, True, sessions.clock.now())
        if low is not None:
            await talk.fill(low)
            await talk.say(*words)
        assert await sessions.remember(talk.session)
    place.clock.pass_(days=30)
    return person


def last(heard: Heard, words: str) -> str:
    """The prompt that asks for what is said next, after these words."""
    return next(each for each in reversed(heard.prompts) if words in each and "content" in each)


@both_languages
@pytest.mark.parametrize("told", ["one", "two", "nobody"])
def test_who_is_meant_stands_in_the_prompt_or_that_it_is_to_be_asked(place: Place, words: Words, told: str) -> None:
    earlier = {"one": [words.father], "two": [words.father, words.friend], "nobody": [words.nobody]}[told]
    line = {"one": words.means, "two": words.several, "nobody": words.unknown}[told]

    async def work() -> None:
        write(place, words)
        person = await before(place, earlier)
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            talk = await begun(place, sessions, person)
            await talk.fill(3)
            await talk.say(words.nobody)
            assert heard.told(line) == 0
            calls = len(heard.prompts)
            await talk.say(words.he)
            assert heard.told(line) == 1
            with_he = len(heard.prompts) - calls
            await talk.say(words.nobody)
            assert heard.told(line) == 1  # of the turn that says so
            assert len(heard.prompts) - calls == 2 * with_he  # no call more
            assert [turn.turn async for turn in sessions.replay(talk.session)] == list(range(1, talk.outcome.turn + 1))

    run(work())


@both_languages
def test_who_was_just_spoken_of_is_meant_though_others_are_known(place: Place, words: Words) -> None:
    async def work() -> None:
        write(place, words)
        person = await before(place, [words.friend, words.father])
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            talk = await begun(place, sessions, person)
            await talk.fill(3)
            await talk.say(words.father, words.nobody, words.he)
            assert (heard.told(words.means), heard.told(words.several)) == (1, 0)

    run(work())


@both_languages
def test_of_earlier_sessions_nobody_is_meant_where_the_person_has_not_said_that_they_may_be_known(
    place: Place, words: Words
) -> None:
    async def work() -> None:
        write(place, words)
        person = await before(place, [words.father])
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            await sessions.store.recollections.choose(person, False, sessions.clock.now())
            talk = await begun(place, sessions, person)
            await talk.fill(3)
            await talk.say(words.he, words.then)
            assert (heard.told(words.means), heard.told(words.unknown)) == (0, 1)
            assert heard.told(words.both) == 0

    run(work())


@both_languages
def test_where_a_script_reads_no_memory_nothing_of_it_is_told(place: Place, words: Words) -> None:
    async def work() -> None:
        write(place, words, reads=False)
        person = await before(place, [words.father])
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            talk = await begun(place, sessions, person)
            await talk.fill(3)
            await talk.say(words.he, words.then)
            assert not any(map(heard.told, (words.means, words.unknown, words.both, words.none)))

    run(work())


@both_languages
@pytest.mark.parametrize("scored", ["then and now", "then", "now", "never"])
def test_how_scores_stood_then_and_stand_now_or_that_it_is_to_be_asked(place: Place, words: Words, scored: str) -> None:
    line = {"then and now": words.both, "then": words.same, "now": words.not_then, "never": words.none}[scored]

    async def work() -> None:
        write(place, words)
        person = await before(place, [words.nobody], low=8 if "then" in scored else None)
        heard = Heard()
        async with place.open(heard.model()) as sessions:
            talk = await begun(place, sessions, person)
            await talk.fill(3)
            if "now" in scored:
                assert await sessions.remember(talk.session)
            await talk.say(words.nobody, words.then)
            assert heard.told(line) == 1
            await talk.say(words.nobody)
            assert heard.told(line) == 1

    run(work())


class AsksBack(Heard):
    """A model that does what the prompt says of whom nobody can tell."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words

    def model(self) -> Model:
        async def answer(request: Request) -> dict[str, Any]:
            self.prompts.append("\n".join(each.text for each in request.messages))
            made = counsel(request)
            if "content" in made and self.words.several in self.prompts[-1]:
                made["content"] = self.words.which
            return made

        return Model([ScriptedProvider(answer)])


@both_languages
def test_it_is_asked_back_and_once_it_is_answered_it_is_known(place: Place, words: Words) -> None:
    async def work() -> None:
        write(place, words)
        person = await before(place, [words.father, words.friend])
        heard = AsksBack(words)
        async with place.open(heard.model()) as sessions:
            talk = await begun(place, sessions, person)
            await talk.fill(3)
            await talk.say(words.nobody)
            asked = await talk.say(words.he)
            assert words.which in texts(asked.messages, "ai")[-1]
            answered = await talk.say(words.father)
            assert words.which not in texts(answered.messages, "ai")[-1]
            await talk.say(words.he)
            assert (heard.told(words.several), heard.told(words.means)) == (1, 1)

    run(work())
