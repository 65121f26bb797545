"""What the case file has kept goes with the words that proved it, wherever it is quoted."""

from __future__ import annotations

from typing import Any

from tests.sessions.material import Place, run, say, seen
from tests.sessions.test_recall import LIMIT, everything

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions
from heartrule.sessions.rows import state_of
from heartrule.testing.counsellor import counsel

SCRIPT = """
sessions:
  - session: 谈谈
    id: small
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - type: ai_ask
                id: trouble
                content: 弄清眼下的难处
                rounds: 8-12
                output:
                  - {get: 难处, define: 眼下最难的事, type: text, question: 眼下最难的是什么？}
                  - {get: 起病, define: 从什么时候开始, type: text, question: 从什么时候开始的？}
              - {type: say, id: bye, content: 再见。}
"""
THEME = "我妈从小就偏心我弟"
ASKED = "那我到底该不该辞职呢"
NOTES = {
    THEME: {"kind": "theme", "text": "妈妈的偏心", "evidence": "从小就偏心我弟", "covers": []},
    ASKED: {"kind": "question", "text": "要不要离开现在的公司", "evidence": ASKED, "covers": []},
}
OTHER = {"kind": "theme", "text": "睡不好觉", "evidence": "睡不好觉", "covers": []}


def model() -> Model:
    """It notes what is said, and takes a question up in the turn after."""

    def answer(request: Request) -> dict[str, Any]:
        properties, prompt = (request.schema or {}).get("properties", {}), request.messages[-1].text
        words = prompt.rpartition("来访者：")[2].partition("\n")[0]
        told = counsel(request)
        if "notes" in properties:
            found = [note for text, note in NOTES.items() if text == words]
            return {**told, "values": [], "notes": found + ([OTHER] if "睡不好觉" in words else [])}
        if "declined" in properties:
            taken = [2] if words == "随便说说" else []
            return {**told, "values": {}, "EXIT": "NO", "takes_up": taken, "content": "后来呢？"}
        return told

    return Model([ScriptedProvider(answer)])


async def case(sessions: Sessions, session: str) -> list[tuple[str, str]]:
    state = state_of((await sessions.store.load(session, 1)).state)
    return [(each.kind, each.text) for each in state.case]


async def told(place: Place, sessions: Sessions, *words: str) -> tuple[str, dict[str, int]]:
    path = place.folder / "case.yaml"
    path.write_text(SCRIPT, encoding="utf-8")
    place.script = str(path)
    session, last = await place.begun(sessions)
    numbers: dict[str, int] = {}
    for count, each in enumerate(words):
        last = await sessions.take(session, say(f"said-{count:04}", each, seen(last)))
        numbers[each] = next(one.number for one in last.messages if one.sender == "person")
    return session, numbers


def test_a_record_goes_with_its_words_and_no_other_does(place: Place) -> None:
    async def work() -> None:
        async with place.open(model()) as sessions:
            session, numbers = await told(place, sessions, THEME, ASKED, "最近睡不好觉", "随便说说")
            assert await case(sessions, session) == [
                ("theme", "妈妈的偏心"),
                ("question", "要不要离开现在的公司"),
                ("theme", "睡不好觉"),
            ]
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers[ASKED], "back-0001", LIMIT)
            assert await case(sessions, session) == [("theme", "妈妈的偏心"), ("theme", "睡不好觉")]
            held = await everything(sessions, session)
            assert ASKED not in held
            assert "要不要离开现在的公司" not in held, "it was taken up in a later turn, and stood in its event"
            assert "睡不好觉" in held

    run(work())


def test_the_session_goes_on_without_it(place: Place) -> None:
    async def work() -> None:
        async with place.open(model()) as sessions:
            session, numbers = await told(place, sessions, THEME, "最近睡不好觉")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers[THEME], "back-0001", LIMIT)
            await sessions.take(session, say("said-0009", "随便说说", None))
            assert await case(sessions, session) == [("theme", "睡不好觉")]
            assert "偏心" not in await everything(sessions, session)

    run(work())


def test_the_same_words_at_another_time_keep_theirs(place: Place) -> None:
    """Taken back is one message; what proved its record elsewhere stays."""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, numbers = await told(place, sessions, "最近睡不好觉", "嗯", "还是睡不好觉，最近睡不好觉")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers["还是睡不好觉，最近睡不好觉"], "back-0001", LIMIT)
            assert await case(sessions, session) == [("theme", "睡不好觉")]

    run(work())


def test_the_last_words_go_with_what_was_noted_of_them(place: Place) -> None:
    async def work() -> None:
        async with place.open(model()) as sessions:
            session, numbers = await told(place, sessions, "最近睡不好觉", THEME)
            await sessions.recall(session, numbers[THEME], "back-0001", LIMIT)
            assert await case(sessions, session) == [("theme", "睡不好觉")]
            assert "偏心" not in await everything(sessions, session)

    run(work())


def test_replay_and_erasure_hold_for_the_case_file(place: Place) -> None:
    async def work() -> None:
        async with place.open(model()) as sessions:
            session, _ = await told(place, sessions, THEME, ASKED, "随便说说")
            found = [each async for each in sessions.replay(session, 1)]
            assert len(found) == 4
            person = (await sessions.session(session)).person
            await sessions.store.erase_person(person)
            assert list(await sessions.store.sessions_of(person)) == []

    run(work())
