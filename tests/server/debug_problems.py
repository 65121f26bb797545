"""Problems that those who debug scripts can meet."""

from __future__ import annotations

from typing import Any

import httpx2
from tests.debugger.material import DEBUG, FILES, LED, LIN, TALK, Desk
from tests.server.material import Asked, Grounds
from tests.server.reaching import reaching

BROKEN = {"prompts/default/ai_ask_open.md": "---\n- a list\n---\nx\n"}
HELD = {"breakpoints": [{"id": "b", "on": "action", "name": "hello"}]}


async def _desk(api: Asked, script: str = "sleep", **more: Any) -> Desk:
    desk = Desk(api, api.context.tokens.of_staff(LIN).token)
    await desk.make(script, **more)
    return desk


async def _sent(desk: Desk, what: str, body: Any) -> httpx2.Response:
    return await desk.api.post(f"{desk.path}/{what}", body, desk.token)


async def _call(api: Asked, what: str, body: Any, **texts: str) -> httpx2.Response:
    """Sent of the call that a session is held before."""
    desk = await _desk(api, "led", texts={**FILES, **texts}, answering={"by": "typed"})
    call = (await desk.get("calls"))["calls"][-1]
    return await _sent(desk, f"calls/{call['move']}/{call['key']}/{what}", body)


@reaching("debug-text-refused")
async def text_refused(api: Asked, _: Grounds) -> httpx2.Response:
    texts = {"talk.yaml": TALK.replace("type: say", "type: sing", 1)}
    return await _sent(await _desk(api), "text", {"texts": texts})


@reaching("debug-not-carried")
async def not_carried(api: Asked, _: Grounds) -> httpx2.Response:
    desk = await _desk(api)
    await desk.say("Lin")
    texts = {"talk.yaml": TALK.replace("id: sleep\n        steps", "id: night\n        steps")}
    return await _sent(desk, "text", {"texts": texts})


@reaching("debug-held")
async def held(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api, **HELD), "say", {"type": "message", "text": "Lin"})


@reaching("debug-not-held")
async def not_held(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "answer", {"key": "x", "words": "{}"})


@reaching("debug-ended")
async def ended(api: Asked, _: Grounds) -> httpx2.Response:
    desk = await _desk(api)
    await desk.do("say", {"type": "end"})
    return await _sent(desk, "say", {"type": "resume"})


@reaching("debug-closed")
async def closed(api: Asked, _: Grounds) -> httpx2.Response:
    desk = await _desk(api)
    await desk.do("close")
    return await _sent(desk, "say", {"type": "message", "text": "Lin"})


@reaching("debug-no-action")
async def no_action(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "to-here", {"file": "talk.yaml", "line": 9999})


@reaching("debug-no-call")
async def no_call(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "calls/1/none/run", {})


@reaching("debug-no-place")
async def no_place(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "back", {"snapshot": "999.1"})


@reaching("debug-no-branch")
async def no_branch(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "branch", {"branch": "99"})


@reaching("debug-no-form")
async def no_form(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "say", {"type": "form_submit", "form": {}})


@reaching("debug-no-test")
async def no_test(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "visit", {"test": "[1"})


@reaching("debug-no-risk-file")
async def no_risk_file(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "risk", {"text": '{"text": "x", "risk": "some"}'})


@reaching("debug-no-persona")
async def no_persona(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "visit", {"persona": "nobody"})


@reaching("debug-no-prompt")
async def no_prompt(api: Asked, _: Grounds) -> httpx2.Response:
    return await _call(api, "run", {}, **BROKEN)


@reaching("debug-layers")
async def layers(api: Asked, _: Grounds) -> httpx2.Response:
    return await _call(api, "run", {"layers": []})


@reaching("debug-not-here")
async def not_here(api: Asked, _: Grounds) -> httpx2.Response:
    return await _call(api, "accept", {"template": "elsewhere.md", "words": "x"})


@reaching("debug-cannot-edit")
async def cannot_edit(api: Asked, _: Grounds) -> httpx2.Response:
    """A text that is marked, for others to refer to."""
    led = LED.replace("content: 问最近", "content: &what 问最近")
    return await _call(api, "accept", {"field": "content", "words": "x"}, **{"led.yaml": led})


@reaching("debug-not-shared")
async def not_shared(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.post(f"{DEBUG}/import", {"file": {}}, api.context.tokens.of_staff(LIN).token)


@reaching("debug-no-model")
async def no_model(api: Asked, _: Grounds) -> httpx2.Response:
    return await _call(api, "run", {})


@reaching("debug-expression")
async def expression(api: Asked, _: Grounds) -> httpx2.Response:
    return await _sent(await _desk(api), "evaluate", {"expression": "1 +"})
