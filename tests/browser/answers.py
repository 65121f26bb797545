"""What a visitor says next, from what the API tells about a session: the same rules as for sessions in process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tests.browser.served import Served

from heartrule.engine.session.io import Request
from heartrule.engine.session.state import ActionFrame, Choice, PhaseFrame, State, TopicFrame
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Get
from heartrule.testing.talk import shipped
from heartrule.testing.visitor import Visitor, action_at

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
PREFER = ("safe", "开始", "接着", "对", "填", "做", "done")
GOING_ON = "好了"
"""Said in an exercise whose time runs, or that asks how it was: it goes on at once."""

FILLED_IN = "好，填一下"
"""To the form that a model hands over."""
SAFE = ("q9",)
"""Questions about danger."""


class Answers:
    """``given`` counts what was said at each action, so that one with several questions gets an answer to each."""

    def __init__(self, script: str | Script, seed: int = 0) -> None:
        self.script = shipped(script) if isinstance(script, str) else script
        self.visitor = Visitor(self.script, seed, prefer=PREFER)
        self.given: Counter[str] = Counter()

    def next(self, session: Mapping[str, Any]) -> tuple[str, str]:
        """("choice", value), ("message", text) or ("form", "") for a session as ``GET /sessions/{id}`` gives it."""
        request = session["request"]
        if request["type"] == "form":
            return "form", ""
        if (session["position"]["action"] or {}).get("id") == "form_bridge":
            return "message", FILLED_IN
        if session["position"]["action_type"] == "ai_guide" and "done" not in [c["value"] for c in request["choices"]]:
            return "message", GOING_ON
        choices = tuple(Choice(value=each["value"], label=each["label"]) for each in request["choices"])
        state = self._state(session["position"])
        return self.visitor.reply(state, Request(request["type"], choices))

    def filled(self, form: Mapping[str, Any]) -> dict[str, Any]:
        """An answer to each question of a form that is asked for: of no danger, and none of the highest score."""
        asked = [each for each in form["fields"] if each.get("options")]
        scales = [each for each in form["fields"] if each["type"] == "slider"]
        picked = {each["id"]: 0 if each["id"] in SAFE else self.visitor.random.randint(0, 2) for each in asked}
        given = {each["id"]: each["options"][picked[each["id"]]]["value"] for each in asked}
        given |= {each["id"]: [given[each["id"]]] for each in asked if each["type"] == "multiple"}
        return given | {each["id"]: each["least"] for each in scales}

    def _state(self, position: Mapping[str, Any]) -> State:
        phase, topic, action = position["phase"], position["topic"], position["action"]
        state = State()
        if phase is None or topic is None:
            return state
        state.phase = PhaseFrame(key="", index=phase["index"], id=phase["id"], entered_at=NOW)
        skill = topic["id"] in self.script.skills
        state.running = TopicFrame(
            key="",
            kind="skill" if skill else "topic",
            ref=topic["id"],
            name="",
            project=topic["id"].partition("/")[0] if skill else "",
            started_at=NOW,
        )
        if action is not None:
            frame = ActionFrame(index=action["index"], id=action["id"], type=position["action_type"], entered_at=NOW)
            state.running.action = frame
            gets = [item.get for item in getattr(action_at(self.script, state), "output", []) if isinstance(item, Get)]
            if gets:
                frame.asking = gets[self.given[action["id"]] % len(gets)]
                self.given[action["id"]] += 1
        return state


def entered(session: Mapping[str, Any], answers: Answers, kind: str, words: str) -> dict[str, Any]:
    """The ``input`` of a turn that gives this answer."""
    if kind == "form":
        form = session["request"]["form"]
        return {"type": "form_submit", "form": {"key": form["key"], "values": answers.filled(form)}}
    return {"type": kind, "choice" if kind == "choice" else "text": words}


def shown(session: Mapping[str, Any], kind: str, words: str) -> str:
    """How such an answer stands in the transcript."""
    if kind == "form":
        return f"（填好了“{session['request']['form']['name']}”）"
    labels = {each["value"]: each["label"] for each in session["request"]["choices"]}
    return str(labels[words]) if kind == "choice" else words


def hold(served: Served, script: str, seed: int = 0, limit: int = 400) -> tuple[dict[str, Any], str, list[str]]:
    """Hold a session over HTTP to its end: the session, its token and what was said, as it stands in the transcript."""
    made = served.call("POST", "/sessions", {"script": script})
    session, token, answers = made["session"], made["token"], Answers(script, seed)
    path = f"/sessions/{session['id']}/turns"
    served.call("POST", path, {"key": f"start-{session['id']}", "input": {"type": "start"}}, token)
    said: list[str] = []
    while (session := served.session(session["id"], token))["status"] != "ended":
        assert len(said) < limit, f"no end after {limit} answers: {session['position']}"
        kind, words = answers.next(session)
        given = entered(session, answers, kind, words)
        said.append(shown(session, kind, words))
        served.call(
            "POST", path, {"key": f"answer-{len(said)}", "after": session["last_message"], "input": given}, token
        )
    return session, token, said
