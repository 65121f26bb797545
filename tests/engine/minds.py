"""Actions and the answers of a model, put together from few words, and what is read off a talk."""

from __future__ import annotations

import copy
from typing import Any

from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk

Node = dict[str, Any]
Data = dict[str, Any]

INTENT = {"zh": "我不想活了", "en": "I want to kill myself"}
WATCH = "活着没意思"
CALM: Data = {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""}]}
"""The safety judgement of ordinary words."""


# actions


def ai_ask(content: str, *gets: str | Node, **more: Any) -> Node:
    return {"type": "ai_ask", "content": content, **_output(gets, more), **more}


def ai_say(content: str, **more: Any) -> Node:
    return {"type": "ai_say", "content": content, **more}


def think(content: str, *gets: str | Node, **more: Any) -> Node:
    return {"type": "ai_think", "content": content, **_output(gets, more), **more}


def option(var: str, *labels: str, **more: Any) -> Node:
    """Choices ``a``, ``b``, … with these labels; ``choices=`` writes them out."""
    choices = [{"value": chr(97 + n), "label": label} for n, label in enumerate(labels)]
    return {"type": "user_option", "var": var, "choices": choices, **more}


def press(line: str, **more: Any) -> Node:
    return {"type": "user_say", "content": line, **more}


def get(name: str, kind: str | None = None, **more: Any) -> Node:
    return {"get": name, **({"type": kind} if kind else {}), **more}


def _output(gets: tuple[str | Node, ...], more: Node) -> Node:
    if "output" in more or not gets:
        return {}
    return {"output": [{"get": each} if isinstance(each, str) else each for each in gets]}


# answers of a model


def judged(verdict: Any, confidence: Any = 0.9, evidence: str = "") -> Data:
    return {"verdicts": [{"id": 1, "verdict": verdict, "confidence": confidence, "evidence": evidence}]}


def values(**found: Any) -> Data:
    """``values(x=(8, "八分"))``: each value with its quote. A bare one has none."""
    pairs = {name: each if isinstance(each, tuple) else (each,) for name, each in found.items()}
    return {
        name: {"value": pair[0], "evidence": pair[1]} if len(pair) == 2 else pair[0] for name, pair in pairs.items()
    }


def asked(content: str = "嗯，我听到了。", exit: Any = "NO", **more: Any) -> Data:  # noqa: A002
    """What an ``ai_ask`` is answered with."""
    return {
        "EXIT": exit,
        "exit_reason": "理由",
        "progress_suggestion": "continue_needed",
        "values": {},
        "content": content,
        "BRIEF": "一句概括",
        "metrics": {},
        **more,
    }


def explained(level: Any = 50, questions: Any = True, expressed: Any = False, wish: Any = False, **more: Any) -> Data:
    """What an explaining ``ai_say`` is answered with."""
    return {
        "assessment": {
            "understanding_level": level,
            "has_questions": questions,
            "expressed_understanding": expressed,
            "reasoning": "理由",
        },
        "should_exit": wish,
        "exit_reason": "原因",
        "progress_suggestion": "continue_needed",
        "content": "再举一个例子。",
        "metrics": {},
        **more,
    }


def replied(understood: Any = True, content: str = "好。", **more: Any) -> Data:
    """What an ``ask`` is answered with."""
    return {
        "understood": understood,
        "values": {},
        "content": content,
        "progress_suggestion": "completed",
        **more,
    }


def sensible(task: Task) -> Data | None:
    """Any task answered in its shape by somebody who notices no risk and never wants to end early."""
    match task.template:
        case "risk":
            return CALM
        case "judge":
            return {"verdicts": []}
        case "ask":
            return replied(content="好的，谢谢你。")
        case "ai_ask":
            return asked("谢谢你告诉我。可以再多说一点吗？", values=_quoted(task))
        case "ai_say":
            return explained(85, False, True, True, content="就是这样。")
        case "ai_think":
            return {"reasoning": "想过了"}
        case "choice":
            return {"choice": 0, "evidence": "", "rest": "", "declined": False, "content": "你想怎样都行。"}
        case _:
            return {"content": f"模型说的话（{task.template}）。"}


def _quoted(task: Task) -> Data:
    """Every value that plainly stands in the last words of the person: them, for texts."""
    words = task.context.history[-1].text if task.context.history else ""
    wanted = task.schema["properties"]["values"]["properties"]
    found: Data = {}
    for name, shape in wanted.items():
        kind = shape["properties"]["value"]
        if "enum" in kind:
            held: Any = next((each for each in kind["enum"] if str(each) in words), None)
        elif kind["type"] in ("integer", "number"):
            held = int(words) if words.isdigit() else None
        elif kind["type"] == "boolean":
            held = {"没有": False, "有": True, "no": False, "yes": True}.get(words)
        else:
            held = words if kind["type"] == "string" else None
        if held is not None:
            found[name] = {"value": held, "evidence": words[:20]}
    return found


# looking at a talk


def fork(talk: Talk) -> Talk:
    """The same session once more, to go another way from here."""
    twin = copy.copy(talk)
    twin.state = talk.state.model_copy(deep=True)
    twin.variables = talk.variables.copy()
    twin.history, twin.events, twin.asked = list(talk.history), list(talk.events), list(talk.asked)
    twin.said = list(talk.said)
    return twin


def running(talk: Talk) -> str:
    """The running topic's bare id, whatever the language of a technique."""
    frame = talk.state.running
    return frame.ref.rpartition("/")[2].removesuffix("_en") if frame else ""


def written(talk: Talk, name: str) -> list[tuple[Any, str, str | None]]:
    """Every write of a variable: value, strategy, evidence."""
    return [(event.value, event.strategy, event.evidence) for event in talk.happened("variable") if event.name == name]


def last(talk: Talk, name: str) -> Any:
    """The value that a variable was last given, also when its scope has gone."""
    given = written(talk, name)
    return given[-1][0] if given else None


def exits(talk: Talk) -> list[tuple[bool, str, str | None]]:
    """Every exit decision: should_exit, source, class."""
    return [(event.should_exit, event.decision_source, event.exit_class) for event in talk.happened("exit")]


def spoken(talk: Talk, *keys: str) -> set[str]:
    """All variants of the scheme's sentences with these keys."""
    return {variant for key in keys for variant in talk._spoken[key]}


def acknowledgements(talk: Talk, texts: list[str] | None = None) -> int:
    """How many of the scheme's words of acknowledgement stand in ``texts`` (by default: in what was just said)."""
    lines = [line for text in (talk.said if texts is None else texts) for line in text.splitlines()]
    return sum(line in spoken(talk, "acknowledge", "heard_last") for line in lines)


def leaves_a_question(talk: Talk) -> bool:
    """Whether somebody waits for the words that ended in a question; nothing may ask and then not listen."""
    texts = [text for text in talk.said if text.rstrip().endswith(("？", "?"))]
    return not texts or (talk.request.kind != "none" and talk.said[-1] in texts)


def tasks(talk: Talk, template: str) -> list[Task]:
    return [task for task in talk.asked if task.template == template]


def crisis(script: Script) -> str:
    return "crisis_support" if script.locale.startswith("zh") else "crisis_support_en"


def out(talk: Talk) -> None:
    """Press the way out of the crisis technique: safe, and then on with the session."""
    for value in ("safe", "go_on"):
        if value in {choice.value for choice in talk.request.choices}:
            talk.choose(value)
