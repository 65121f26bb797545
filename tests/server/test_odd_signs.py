"""What a terminal obeys and what turns the direction of writing is not said back to anybody."""

from __future__ import annotations

from tests.server.material import Grounds, run, seen


def test_a_name_is_said_back_without_controls_and_overrides(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun(script="cbt/abc_intro", locale="en")
            turn = await api.turn(visit, text="\x1b]0;pwn\x07\u202eevil", after=seen(begun))
            said = "".join(each["content"] for each in turn["messages"] if each["sender"] == "ai")
            assert "evil" in said
            assert not set(said) & {"\x1b", "\x07", "\u202e"}

    run(work())
