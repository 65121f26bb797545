"""A process that debugs, step after step, and says what it has come to, until somebody kills it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tests.debugger.material import FILES, TALK

from heartrule.debugger import inspection
from heartrule.debugger.service import Debugger
from heartrule.debugger.session import DebugSession
from heartrule.debugger.snapshots import snapshots
from heartrule.debugger.stepping import StepLimit
from heartrule.engine.session.io import Input, Words
from heartrule.llm.model import Model
from heartrule.sessions import Settings, open_sessions
from heartrule.testing.hold import MovedClock

WHO = "lin"
EDITED = {**FILES, "talk.yaml": TALK.replace("慢慢吸气。", "吸气，数到四。")}


def place(session: DebugSession) -> dict[str, Any]:
    """Where it stands, and all that was said."""
    frames = inspection.frames(session.text, session.here().work)
    return {
        "branch": session.head.branch,
        "passed": session.branch.passed,
        "held": session.open is not None,
        "why": dict(session.branch.why),
        "stack": [f"{each.kind} {each.id}" for each in frames],
        "text": session.head.text,
        "said": [each.text for each in session.messages()],
    }


def settings(folder: Path) -> Settings:
    return Settings(folder, model=Model(), clock=MovedClock())


async def step(session: DebugSession, debugger: Debugger, number: int) -> None:
    """One of the things that somebody does, the same every time."""
    seen = session.last.state.messages if session.last is not None else 0
    match number:
        case 0:
            session.head.stepping = StepLimit("over")
            await session.start()
        case 1 | 2 | 5 | 6:
            await session.go("over")
        case 3 | 7:
            await session.send(Input("message", (Words("小林" if number == 3 else "4 个小时", seen),), after=seen))
        case 4:
            await session.set("名字", "小王")
        case 8:
            await session.go("into")
        case 9:
            await session.go("into")
        case 10:
            text = debugger.text(EDITED, session.head.script)
            await debugger.keep_text(text)
            await session.edit(text)
        case 11:
            first = next(iter(snapshots(session)))
            await session.back(first.move, first.passed)
        case _:
            await session.go("over")


LAST = 13


def say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


async def main(folder: Path, rest: int) -> None:
    """``rest``: the step after which it does nothing more, so that who kills it knows where it stood."""
    async with open_sessions(settings(folder)) as sessions:
        debugger = Debugger(sessions.store, sessions.library, sessions.model, sessions.clock)
        session = await debugger.create(debugger.text(FILES, "sleep"), WHO)
        say({"id": session.head.id})
        for number in range(LAST):
            say({"begins": number})
            await step(session, debugger, number)
            say({"done": number, "place": place(session)})
            if number == rest:
                break
        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
