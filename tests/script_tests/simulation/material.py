"""Small scripts and visitors for tests of simulations."""

from __future__ import annotations

from random import Random

from heartrule.engine.session.state import Choice
from heartrule.language.nodes import VariableRules
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.open_question import OpenQuestion, questions_of
from heartrule.script_tests.simulation.persona import Persona, find, spoken
from heartrule.script_tests.simulation.session_run import PATIENCE, TURNS, Answers, SessionSettings
from heartrule.script_tests.simulation.simulated_session import (
    Exchange,
    NoticedInTurn,
    Outcome,
    Place,
    SimulatedSession,
)
from heartrule.script_tests.simulation.visitor import Move, RuledVisitor, Visitor
from heartrule.testing.talk import compile_text

SMALL = """\
sessions:
  - session: 小谈
    id: small
    declare:
      - {var: 分数, type: integer, range: [0, 10], define: 心情打分}
      - {var: 近况, type: text, define: 最近怎样}
      - {var: 去向, type: enum, options: [接着, 改天], define: 还要不要谈}
    phases:
      - phase: 开头
        id: opening
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ai_ask, id: ask_lately, question: 最近怎么样？, content: 近况, output: [{get: 近况}]}
              - {type: ai_ask, id: ask_score, question: 心情几分？, content: 打分, output: [{get: 分数}]}
              - type: user_option
                id: stay
                var: 去向
                choices:
                  - {value: 接着, label: 接着谈}
                  - {value: 改天, label: 今天先不聊了}
            transitions: [{to: ending, condition: 去向 == '改天'}]
      - phase: 后面
        id: later
        steps:
          - topic: 再问
            id: more
            actions:
              - {type: user_say, id: go, content: 继续吧}
              - {type: ai_ask, id: ask_more, question: 还有呢？, content: 再问, output: [{get: 还有, type: text}]}
      - phase: 结束
        id: ending
        steps:
          - topic: 再见
            id: bye
            actions: [{type: say, id: bye, content: 再见。}]
"""
QUIET = {"zh": {}, "en": {}}


def persona(**changes: object) -> Persona:
    """A cooperative one that never does anything else, with changes."""
    plain = {
        "id": "plain",
        "name": {"zh": "平常的", "en": "Plain"},
        "about": {"zh": "照答", "en": "Answers"},
        "play": {"zh": "你照答。", "en": "You answer."},
        "words": QUIET,
        "endings": 0,
        "begins_again": 0,
    }
    return Persona.model_validate({**plain, **changes})


def ruled(who: Persona | str, seed: object = 0, questions: int = 10, language: str = "zh") -> RuledVisitor:
    found = find(who) if isinstance(who, str) else who
    return RuledVisitor(found, spoken(language), Random(str(seed)), questions)


def question(words: str, *, name: str = "甲", safety: bool = False, **rules: object) -> OpenQuestion:
    read = VariableRules.model_validate(rules)
    return OpenQuestion("message", words, (), name, read, safety, read.risk)


def choice(words: str, *values: str, safety: bool = False) -> OpenQuestion:
    return OpenQuestion("choice", words, tuple(Choice(value=each, label=each) for each in values), safety=safety)


def hold(
    text: str,
    visitor: Visitor | None = None,
    answers: Answers | None = None,
    *,
    turns: int = TURNS,
    patience: int = PATIENCE,
) -> SimulatedSession:
    script = compile_text(text)
    who = visitor or ruled(persona(), questions=questions_of(script))
    return SessionSettings(script, who, answers, turns=turns, patience=patience).run("plain", 1)


class Says:
    """A visitor who makes these moves one after another, and the last for ever."""

    def __init__(self, *moves: Move | str) -> None:
        self._moves = [Move("message", "answer", each) if isinstance(each, str) else each for each in moves]

    def move(self, asked: OpenQuestion, said: object) -> Move:
        return self._moves.pop(0) if len(self._moves) > 1 else self._moves[0]


def exchange(
    words: str | Move | None = "嗯", said: tuple[str, ...] = (), *, at: str = "a", **noticed: object
) -> Exchange:
    move = Move("message", "answer", words) if isinstance(words, str) else words
    place = Place("p", "t", at)
    return Exchange(1.0, place, place, move, said, NoticedInTurn(**noticed), ModelSpend())  # type: ignore[arg-type]


def held(
    *exchanges: Exchange, outcome: Outcome = "completed", persona: str = "plain", number: int = 1
) -> SimulatedSession:
    return SimulatedSession(
        "x/y", persona, number, outcome, "too_long" if outcome == "stuck" else "", 60.0, exchanges, ("p",)
    )
