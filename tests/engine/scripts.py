"""Scripts for tests, put together from few words, and what is read off a session's history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml

from heartrule.engine.session.state import State, TopicFrame
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk, compile_text

Node = dict[str, Any]


CALM = {"verdicts": [{"id": 1, "verdict": "no", "confidence": 1.0, "evidence": ""}]}
"""A model's answer to the question whether the person is at risk (template ``risk``)."""


def script(
    *phases: Node,
    skills: Sequence[Node] = (),
    awareness: Sequence[Node] = (),
    variables: Sequence[Node] = (),
    **session: Any,
) -> Script:
    """One session with these phases; ``variables`` are the project's."""
    whole: Node = {"sessions": [{"session": "谈话", "id": "talk", **session, "phases": list(phases)}]}
    whole |= {"skills": list(skills)} if skills else {}
    whole |= {"awareness": list(awareness)} if awareness else {}
    whole |= {"global": list(variables)} if variables else {}
    return compiled(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False))


compiled = lru_cache(maxsize=None)(compile_text)


def phase(name: str, *topics: Node, **more: Any) -> Node:
    return {"phase": name, "id": name.lower(), **more, "steps": list(topics)}


def topic(name: str, *actions: Node, **more: Any) -> Node:
    return {"topic": name, **more, "actions": list(actions) or [say(name)]}


def skill(name: str, *actions: Node, **more: Any) -> Node:
    return {"skill": name, **more, "actions": list(actions) or [say(name)]}


def say(text: str, **more: Any) -> Node:
    return {"type": "say", "content": text, **more}


def ask(question: str, *gets: str | Node, **more: Any) -> Node:
    output = [{"get": get} if isinstance(get, str) else get for get in gets]
    return {"type": "ask", "content": question, **({"output": output} if output else {}), **more}


def put(var: str, value: Any = None, **more: Any) -> Node:
    """``set_var`` with a literal, or with ``expr=``."""
    return {"type": "set_var", "var": var, **({} if "expr" in more else {"value": value}), **more}


def use(name: str, **more: Any) -> Node:
    return {"type": "use_skill", "skill": name, **more}


def only(*actions: Node, **session: Any) -> Script:
    """A session of one topic."""
    return script(phase("P", topic("T", *actions)), **session)


# what happened


def topics(talk: Talk, state: str | None = None) -> list[str]:
    """The topics that came into ``state``, by name, in order; with every state as ``name state``."""
    events = talk.happened("topic")
    if state is not None:
        return [event.ref.rpartition("/")[2] for event in events if event.state == state]
    return [f"{event.ref.rpartition('/')[2]} {event.state}" for event in events]


def causes(talk: Talk, state: str) -> dict[str, str]:
    return {event.ref.rpartition("/")[2]: event.cause for event in talk.happened("topic") if event.state == state}


def phases(talk: Talk) -> list[str]:
    return [f"{event.id} {event.state}" for event in talk.happened("phase")]


def faults(talk: Talk) -> list[str]:
    return [event.what for event in talk.happened("fault")]


def operations(talk: Talk, name: str) -> list[Any]:
    return [event for event in talk.happened("variable") if event.name == name]


def spoken(talk: Talk) -> list[str]:
    """Everything that was said to the person so far."""
    return [message.text for message in talk.history if message.sender == "ai"]


def cells(talk: Talk, scope: str) -> dict[str, Any]:
    """The bare values of every living scope of one kind."""
    return {
        name: value.value
        for key, cell in talk.variables.cells.items()
        if key[0] == scope
        for name, value in cell.items()
    }


def frames(state: State) -> list[TopicFrame]:
    return [*state.suspended, *([state.running] if state.running else [])]


def open_markers(events: Iterable[Any]) -> list[tuple[str, int]]:
    """Actions that have begun and not ended, by topic key and index. Raises when an end has no beginning."""
    begun: list[tuple[str, int]] = []
    for event in events:
        if event.kind != "marker":
            continue
        where = (event.topic_key, event.index)
        if event.edge == "before":
            assert where not in begun, f"{where} began twice"
            begun.append(where)
        else:
            begun.remove(where)
    return begun


def check(talk: Talk) -> None:
    """What holds of every session between any two turns."""
    state = talk.state
    running = [(frame.key, frame.action.index) for frame in frames(state) if frame.action]
    assert sorted(open_markers(talk.events)) == sorted(running)
    assert [message.number for message in talk.history] == list(range(1, len(talk.history) + 1))
    assert state.messages == len(talk.history)
    writes = [event.number for event in talk.happened("variable")]
    assert writes == list(range(1, len(writes) + 1))
    assert state.writes == len(writes)
    over = "error" if state.end_reason == "loop" else "completed"
    assert talk.turn.status == (over if state.ended else "waiting_input")
    assert (talk.request.kind == "none") == state.ended
    if not state.ended:
        assert state.running is not None
        assert state.running.action is not None
        assert state.running.action.wait is not None
        assert talk.request.kind in ("message", "choice", "press", "form")
        assert bool(talk.request.choices) or talk.request.kind not in ("choice", "press")
        assert not talk.request.choices or talk.request.kind != "form"
        if talk.request.kind == "message":  # of an exercise one may stop at any moment, by a button too
            assert [each.value for each in talk.request.choices] in ([], ["stop"])
        assert (talk.request.kind == "form") == (talk.request.form is not None)
    assert all(text.strip() for text in (message.text for message in talk.history if message.sender == "ai"))
    alive = {("topic", frame.key) for frame in frames(state)}
    assert {key for key in talk.variables.cells if key[0] == "topic"} <= alive
    assert _queues(talk.events)


def _queues(events: Sequence[Any]) -> bool:
    """Every change of what is planned and put aside begins where the one before it ended; a phase begins and ends with
    neither."""
    now: list[str] = []
    aside: list[str] = []
    for event in events:
        if event.kind == "phase" and event.state == "left":
            assert (now, aside) == ([], []), "a phase was left with topics in its queue"
        if event.kind == "queue":
            assert event.before == now, f"{event.cause}: {event.before} is not {now}"
            assert event.suspended_before == aside, f"{event.cause}: {event.suspended_before} is not {aside}"
            assert (event.before, event.suspended_before) != (event.after, event.suspended_after)
            assert event.cause
            now, aside = event.after, event.suspended_after
    return True


def roundtrip(talk: Talk) -> None:
    """Put the state down as JSON and take it up again."""
    talk.state = State.model_validate_json(talk.state.model_dump_json())


Values = Mapping[str, Any]
