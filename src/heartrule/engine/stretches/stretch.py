"""A stretch of talk with a model: it leads, in any order and in its own words; code keeps what is known, what was
refused, how long it may take, and when it is over.

Each turn one reply reads what is open here, what is known of everything, what was refused, asked and promised. Of what
it answers code takes the values with their quotes, and holds what the question goes for against the case file. A
question that may not be put is made once more with the reason, and then the item's own question stands in its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from heartrule.engine.asking import ask_rounds, joined_replies
from heartrule.engine.awareness import crisis
from heartrule.engine.casefile import prompt_view as casefile
from heartrule.engine.casefile import records
from heartrule.engine.dialogue import exit_policy, exit_reasons, review, rounds, speech
from heartrule.engine.dialogue.exit_policy import Decision, Signals
from heartrule.engine.dialogue.fixed_wording import before_question, last_question, puts_a_question, way_back
from heartrule.engine.extraction.extraction import ExtractionResult, described
from heartrule.engine.session.events import Replied
from heartrule.engine.session.io import Rest
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.state import Cause
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.stretches import danger, literal, progress, techniques
from heartrule.engine.stretches.coverage import Coverage, come_to, covered, is_required
from heartrule.engine.stretches.reply import FOLLOW, OPENING, TECHNIQUE, Reply, parse_reply, schema
from heartrule.engine.stretches.talk import Talk
from heartrule.engine.supervision import strategy
from heartrule.engine.tasks import feedback, strategies
from heartrule.engine.tasks.prompt_context import fill, shared, shown
from heartrule.engine.variables import elapsed_time
from heartrule.engine.variables.definitions import is_on_demand, lookup
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.variables.evidence import gets, locate
from heartrule.engine.work import Work
from heartrule.language.nodes import ExitSource

ASKED = 2
"""How often one item is asked for; one that is required, once more."""
STAYS = 2
"""Replies in a row that may stay with the person where nothing is open any more."""
LONGER = 3
"""Turns by which a stretch becomes longer at most for thoughts that are followed in it."""
NEAR = 2
"""Needed items that one reply may still find out, and end the stretch: only from here on its prompt says what comes
next."""
BEFORE = 4
"""Messages of the person before a talk about danger that count in it."""
_RATED = ("integer", "number")
_QUOTED = re.compile('[“「][^”」]*[”」]|"[^"]*"')
_MADE = Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Answer | None]


def enter(work: Work, action: Any) -> Moves:
    """Begin with the words that opened it already, with the script's own question, or with the model's."""
    frame = work.frame
    frame.round, frame.max_rounds = 1, most(action)
    if work.led:  # the words that called it tell already what is asked here
        QuestionState.of(frame).texts = [m.text for m in work.transcript() if m.sender == "person"][-BEFORE:]
    coverage = _covered(work, action)
    if not coverage.open:
        return Step(done=True, outcome="known")
    opened = joined_replies.taken(work)
    if opened and puts_a_question(opened):
        _put(work, opened)
        return Step(wait="message")
    question = "" if coverage.known else fill(work, action.question, to_person=True)
    if question and not opened:
        frame.question = QuestionState.of(frame).first = question
        frame.asking = ""
        return Step(say=(question,), wait="message")
    return (yield from _open(work, action, coverage))


def reopen(work: Work, action: Any) -> Moves:
    """Go on after a technique that was begun from here, or after an interruption; what was told meanwhile is known."""
    coverage = _covered(work, action)
    work.flags.acknowledge = False
    if not coverage.required and work.frame.round >= (work.frame.max_rounds or about(action)):
        ask_rounds.settle(work, action.output, action.tolist)
        return Step(done=True)
    return (yield from _open(work, action, coverage, returning=True))


def _open(work: Work, action: Any, coverage: Coverage, *, returning: bool = False) -> Moves:
    """The model's own first words. ``returning``: something else came between."""
    if not returning:
        yield from strategy.first(work, action)
    task = _opening(work, action, returning=returning)
    answer = yield from speech.whole(work, (yield (task,))[task.key])
    answer = yield from review.passed(work, action, answer, partial(_opening, work, action, returning=returning))
    reply = parse_reply(answer.data if answer else None, _names(action))
    if not reply.content and returning and work.frame.question:
        step = again(work)
        return Step(say=("\n".join((way_back(work), *step.say)),), wait="message")
    if not reply.content and crisis.numbers_given(work):  # said straight, and no model answers: fixed words know how
        crisis.call(work, Cause(kind="no answer of a model to", ref=work.frame.id))
        return Step(call=True)
    if not reply.content:
        return literal.begin(work, action)
    if coverage.open and not returning and not puts_a_question(reply.content):
        return literal.ask(work, action, coverage.open[0], reply.content)
    _count(work, reply, coverage, reply.content)
    _promised(work, reply)
    _put(work, reply.content, reply.asks)
    work.flags.acknowledge = False  # the model's own first words take up the last answer
    return Step(say=(reply.content,), wait="message")


def question(work: Work, action: Any, mend: str = "") -> Task:
    """The reply to these words. ``mend``: why the one before it may not be said."""
    frame = work.frame
    last = frame.round >= (frame.max_rounds or 50)
    return Task(
        key=work.task_key("stretch"),
        kind="extract",
        role="generate",
        template="stretch",
        context=shared(work),
        values=_prompt_values(work, action)
        | {
            "rounds_left": "0" if last else "",
            "last_stay": "yes" if last and _may_last(work, action, Talk.of(frame)) else "",
            "mend": mend,
        }
        | rounds.prompt_values(work),
        schema=schema(work, action),
        required=("EXIT", "content"),
        tier=action.model,
        speaks=not action.review,
    )


def hear(work: Work, action: Any, heard: PersonInput, answer: Answer | None) -> Moves:
    """Take the words in, decide, and say what the reply says."""
    verify, before = action.verify == "llm", _covered(work, action)
    answer = _timely(work, action, _with_overheard(work, answer), before)
    found = yield from ask_rounds.listen(work, action.output, heard, answer, verify=verify, anew=False)
    come_to(work, found.found)
    if answer is None or answer.data is None:
        rounds.record(work, rounds.of_stretch(work), answer)
        return literal.heard(work, action, heard, found)
    reply, talk = _checked_reply(work, action, answer), Talk.of(work.frame)
    _note(work, action, heard, reply, told=found.found)
    coverage = _covered(work, action)
    problem = _problem(work, action, reply, talk, coverage, before)
    if problem:
        answer = yield from _again(work, action, heard, answer, problem)
        yield from _read_again(work, action, heard, answer, found)
        reply, coverage = _checked_reply(work, action, answer), _covered(work, action)
    _warm(work, action, talk, reply)
    over = _over(work, action, reply, coverage, answer.data if answer else None)
    untold = [*reply.declined, *danger.cannot_be_told(work, action, reply.unknown)]
    alarm = found.risk and danger.alarms(work, action, heard, found, untold, talk.asked)
    talk.stayed = 0 if coverage.open or reply.asks else talk.stayed + 1
    # of a reply whose question may not be put nothing is shown that its item's own question would take the place of
    blocked = bool(problem and _problem(work, action, reply, talk, coverage, before, insists=True))
    knows = _nears_its_end(work, action, coverage if problem else before)
    turn = _Round(heard, answer, reply, coverage, over, alarm, blocked, knows)
    step = yield from _close(work, action, turn) if over.should_exit else _go_on(work, action, turn)
    return replace(step, near=crisis.explores(work) and not crisis.numbers_given(work))


@dataclass(frozen=True, slots=True)
class _Round:
    """What one round has come to. ``alarm``: its danger comes first. ``blocked``: its question may not be put.
    ``knows``: the reply was told what comes next."""

    heard: PersonInput
    answer: Answer | None
    reply: Reply
    coverage: Coverage
    over: Decision
    alarm: bool
    blocked: bool
    knows: bool


def _close(work: Work, action: Any, turn: _Round) -> Moves:
    """The stretch ends with the reply."""
    unset = ask_rounds.settle(work, action.output, action.tolist)
    risk = turn.alarm or (ask_rounds.risk_open(work, action.output) and not crisis.numbers_given(work))
    opens = not risk and turn.knows and joined_replies.certain(work, turn.reply.wants_end)
    words = yield from _words(work, action, turn, statement=not opens or turn.blocked, risk=risk)
    lacking = set(unset) - set(Talk.of(work.frame).moot)
    missing = any(is_required(action, item) and item.get in lacking for item in gets(action.output))
    outcome = "unfinished" if missing else turn.over.exit_class or "completed"
    return ask_rounds.ended(work, words, opens=opens, risk=risk, outcome=outcome)


def _go_on(work: Work, action: Any, turn: _Round) -> Moves:
    """It goes on with the reply's question, with a technique, or with the item's own question."""
    reply, coverage = turn.reply, turn.coverage
    technique = techniques.named(action, reply.technique)
    statement = technique is not None or turn.blocked
    words = yield from _words(work, action, turn, statement=statement, risk=turn.alarm)
    work.frame.round += 1
    if work.flags.silent:  # something more urgent comes; what was asked last is put again behind it
        return again(work)
    if technique is not None and techniques.begin(work, technique, before_question(words)):
        return Step(call=True)
    if not words or turn.blocked or (reply.wants_end and coverage.open and not puts_a_question(words)):
        return _literally(work, action, coverage, words, blocked=turn.blocked, risk=turn.alarm)
    _count(work, reply, coverage, words)
    _put(work, words, reply.asks)
    return Step(say=(words,), wait="message", risk=turn.alarm)


def _words(
    work: Work, action: Any, turn: _Round, *, statement: bool, risk: bool
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], str]:
    """What the reply says in the end, recorded."""
    whole = yield from speech.whole(work, turn.answer, statement=statement, risk=risk)
    whole = yield from review.passed(work, action, whole, partial(question, work, action))
    rounds.record(work, rounds.of_stretch(work), whole)
    exit_policy.record(work, turn.over, work.frame.round, hints=False)
    if not work.flags.silent:  # what nobody hears promises nothing
        _promised(work, turn.reply)
    return rounds.text_of(whole.data if whole else None)


def again(work: Work) -> Step:
    """After an interruption the last question is put once more, without what had been said before it."""
    asked = work.frame.question
    return Step(say=(last_question(asked) or asked,) if asked else (), wait="message")


def most(action: Any) -> int:
    """How many exchanges a stretch takes at most: as its script says, else twice as many as it has outputs."""
    return action.rounds.most if action.rounds is not None else 2 * len(gets(action.output))


def about(action: Any) -> int:
    return action.rounds.about if action.rounds is not None else len(gets(action.output))


def _nears_its_end(work: Work, action: Any, coverage: Coverage) -> bool:
    late = min(about(action), work.frame.max_rounds or about(action))
    return len(coverage.required) <= NEAR or work.frame.round >= late


def _names(action: Any) -> list[str]:
    return [item.get for item in gets(action.output)]


def _covered(work: Work, action: Any) -> Coverage:
    talk, items = Talk.of(work.frame), gets(action.output)
    often = [item.get for item in items if talk.asked.get(item.get, 0) >= ASKED + is_required(action, item)]
    return covered(work, action, [*often, *talk.given_up, *talk.moot])


def _opening(work: Work, action: Any, *, returning: bool = False) -> Task:
    return Task(
        key=work.task_key("stretch_open"),
        kind="generate",
        role="generate",
        template="stretch",
        context=shared(work),
        values=_prompt_values(work, action)
        | {"opening": "" if returning else "yes", "returning": "yes" if returning else ""},
        schema=OPENING,
        required=("content",),
        temperature=0.7,
        tier=action.model,
        speaks=not action.review,
    )


def _prompt_values(work: Work, action: Any) -> dict[str, str]:
    coverage, talk = _covered(work, action), Talk.of(work.frame)
    return {
        "content": fill(work, action.content),
        "outputs": described(work, action.output, every=True),
        "open": progress.open_items(work, action, coverage),
        "closed": progress.closed_items(work, coverage),
        "follow": "" if elapsed_time.short(work) else fill(work, action.follow or action.follow_up),
        "hot": talk.hot,
        "techniques": techniques.described(work, action, talk.used),
        "facts": casefile.facts(work, _names(action), shown(work), named=False),
        "place": progress.place(work),
        "pace": progress.pace(work, about(action), most(action) + talk.longer, talk, coverage),
        "action_tone": fill(work, action.tone),
        **(joined_replies.prompt_values(work) if _nears_its_end(work, action, coverage) else {}),
        "monitor_feedback": feedback.prompt_line(work),
        "strategy_prompt": strategies.prompt_line(work),  # that time is short, the pace says
    }


def _again(work: Work, action: Any, heard: PersonInput, answer: Answer, problem: str) -> _MADE:
    """The reply made once more with the reason; what the first one found stands."""
    task = question(work, action, problem)
    work.emit(Replied(action=work.frame.id, task=task.template, speculative=False, redone=True, why=[problem]))
    second: Answer = (yield (task,))[task.key]
    return second if second.data is not None else answer


def _read_again(
    work: Work, action: Any, heard: PersonInput, answer: Answer | None, found: ExtractionResult
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], None]:
    """Take what the reply that was made once more has read besides, or with a quote that can be found this time; of a
    yes about danger as of any other."""
    given = answer.data.get("values") if answer is not None and answer.data is not None else None
    left = (
        {name: value for name, value in given.items() if name not in found.found} if isinstance(given, Mapping) else {}
    )
    if answer is None or not left:
        return
    more = replace(answer, data={**(answer.data or {}), "values": left})
    read_now = yield from ask_rounds.listen(work, action.output, heard, more, anew=False, again=True)
    come_to(work, read_now.found)
    found.found.update(read_now.found)
    found.risky.update(read_now.risky)


def _checked_reply(work: Work, action: Any, answer: Answer | None) -> Reply:
    """What the reply says. A thought that the person has not said in these words is nobody's, and not hot."""
    reply = parse_reply(answer.data if answer is not None else None, _names(action))
    if reply.hot and locate(reply.hot, _said(work)) is None:
        return replace(reply, hot="", belief="")
    return reply


def _with_overheard(work: Work, answer: Answer | None) -> Answer | None:
    """With the values that perception has found in the same words, and the reply has not."""
    if answer is None or answer.data is None or not work.findings.overheard:
        return answer
    given = answer.data.get("values")
    values = {**work.findings.overheard, **(given if isinstance(given, Mapping) else {})}
    return replace(answer, data={**answer.data, "values": values})


def _timely(work: Work, action: Any, answer: Answer | None, before: Coverage) -> Answer | None:
    """Without what only counts once it was asked for, or when nothing else is needed any more (``listen: on_demand``):
    a remark on the way is no feedback on the whole."""
    given = answer.data.get("values") if answer is not None and answer.data is not None else None
    waits = {item.get for item in gets(action.output) if is_on_demand(work, item)} - Talk.of(work.frame).asked.keys()
    if answer is None or answer.data is None or not isinstance(given, Mapping) or not waits & given.keys():
        return answer
    if all(item.get in waits or item.get in given for item in before.required):
        return answer
    counts = {name: value for name, value in given.items() if name not in waits}
    return replace(answer, data={**answer.data, "values": counts})


def _note(work: Work, action: Any, heard: PersonInput, reply: Reply, *, told: Collection[str]) -> None:
    """What the reply has read of refusals, of thoughts, and of what it takes up. Who tells a part and not the rest has
    told it (``told``): it is known, and not asked again."""
    declined = [name for name in reply.declined if name not in told]
    asked = str(work.frame.asking or "")
    if heard.repair == "skip" and asked and asked not in declined:
        declined.append(asked)
    for item in gets(action.output):
        if item.get in declined:
            records.note(work, "refusal", fill(work, item.define) or item.get, heard.text, about=[item.get])
    _let_be(work, action, reply, declined)
    if reply.hot:
        records.believed(work, reply.hot, reply.belief)
    records.take_up(work, reply.takes_up)


def _let_be(work: Work, action: Any, reply: Reply, declined: Collection[str]) -> None:
    """What they cannot tell, and what makes no sense here, is not asked for. What is about danger is not let be: it is
    asked once more, and then counts as not ruled out; behind numbers, and where thoughts were told, it counts so at
    once ("half and half")."""
    talk = Talk.of(work.frame)
    about = set(danger.names(work, action)) - set(danger.cannot_be_told(work, action, reply.unknown))
    held = {*declined, *talk.given_up, *(() if crisis.numbers_given(work) else about)}
    talk.given_up = [*talk.given_up, *(name for name in reply.unknown if name not in held)]
    talk.moot = [
        *talk.moot,
        *(name for name in reply.moot if name not in talk.moot and _may_be_moot(work, action, name)),
    ]


def _may_be_moot(work: Work, action: Any, name: str) -> bool:
    """Whether it is a rating, or asks further into something: of neither, what is needed can be left out because a
    model says so, and nothing that is about danger."""
    rules = next((rules_of(work, item) for item in gets(action.output) if item.get == name), None)
    return rules is not None and not rules.risk and (rules.type in _RATED or bool(rules.depends_on))


def _promised(work: Work, reply: Reply) -> None:
    for promise in reply.promises:
        records.note(work, "promise", promise, by_ai=True)


def _said(work: Work) -> str:
    return "\n".join(message.text for message in work.transcript() if message.sender == "person")


def _warm(work: Work, action: Any, talk: Talk, reply: Reply) -> None:
    """A thought that is followed does not use up the turns that are left for what is needed, a few times; nor is the
    last turn the last where one comes out in it, unless the model itself ends there."""
    if reply.hot:
        talk.warm(reply.hot)
    follows = reply.asks == FOLLOW and talk.hot
    if follows:
        talk.follow()
    comes_out = reply.hot and not reply.wants_end and work.frame.round >= most(action) + talk.longer
    if (follows or comes_out) and _may_last(work, action, talk):
        talk.longer += 1
        work.frame.max_rounds = most(action) + talk.longer
    if not follows and not reply.hot:
        talk.cool()


def _may_last(work: Work, action: Any, talk: Talk) -> bool:
    """Whether it may go on for a turn more than was meant; where time has cut it, it may not."""
    return talk.longer < LONGER and work.frame.max_rounds == most(action) + talk.longer


def _problem(
    work: Work, action: Any, reply: Reply, talk: Talk, coverage: Coverage, before: Coverage, *, insists: bool = False
) -> str:
    """Why the reply may not be said; empty where it may. ``before``: what was known before these words: who was asked
    for something and has told half of it may be asked for the rest, once. ``insists``: it is the second one. Of two
    questions of the list the model's own is the kinder one."""
    last = work.frame.round >= (work.frame.max_rounds or 50)
    rest = (reply.asks == work.frame.asking and reply.asks not in before.known) or _is_unasked(
        work, action, reply, talk
    )
    if closed := coverage.closed(reply.asks, rest=rest, before=before.names):
        return _reason(work, closed, reply.asks)
    if first := danger.comes_first(work, action, reply.asks, coverage):
        return _reason(work, "danger", first)
    if reply.wants_end and coverage.required and not last:
        return _reason(work, "missing", coverage.required[0].get)
    if not insists and _puts_off(work, reply, talk, coverage):
        return _reason(work, "needed", coverage.required[0].get)
    return ""


def _is_unasked(work: Work, action: Any, reply: Reply, talk: Talk) -> bool:
    """Whether it is one that counts once it was asked for (``listen: on_demand``), and was not: a correction on the way
    does not stand for the look at the whole."""
    item = next((item for item in gets(action.output) if item.get == reply.asks), None)
    return item is not None and is_on_demand(work, item) and reply.asks not in talk.asked


def _puts_off(work: Work, reply: Reply, talk: Talk, coverage: Coverage) -> bool:
    """Whether the turns left just suffice for what is needed, and the reply asks for something else. It may still stay
    with them and ask nothing, or go on with a thought that is hot: a list waits for that, unless it is about danger."""
    left = (work.frame.max_rounds or 50) - work.frame.round
    needed = [item.get for item in coverage.required]
    follows = reply.asks == FOLLOW and (reply.hot or talk.hot)
    if follows and not any(danger.is_about_danger(work, item) for item in coverage.required):
        return False
    return bool(reply.asks) and 0 < left <= len(needed) and reply.asks not in needed


def _reason(work: Work, key: str, what: str) -> str:
    return work.spoken(f"stretch.{key}", 0).replace("{what}", what)


def _over(work: Work, action: Any, reply: Reply, coverage: Coverage, data: Mapping[str, Any] | None) -> Decision:
    """Whether the stretch ends, by the exit policy of any action: the model's flag, or that nothing is open and nothing
    is asked; what is required, and the least number of rounds, stand against it."""
    locale, holding = work.world.script.locale, dict[ExitSource, str]()
    if reply.wants_end:
        holding["exit_flag"] = "EXIT"
    # a reply that neither asks nor closes stays with them; it may do so twice
    stays = not reply.wants_end and Talk.of(work.frame).stayed < STAYS
    nothing = not coverage.open and not reply.asks and not (data and stays)
    criteria = exit_policy.criteria_reason(
        action.exit_criteria, work.frame.round, lambda name: lookup(work, name), locale
    )
    if criteria or nothing:
        holding["exit_criteria"] = criteria or exit_reasons.reason_text(exit_reasons.NOTHING_LEFT, locale)
    vetoes = [exit_reasons.reason_text(exit_reasons.LACKS, locale, item.get) for item in coverage.required]
    return exit_policy.decide(
        Signals(
            round=work.frame.round,
            max_rounds=work.frame.max_rounds or most(action),
            holding=holding,
            progress=exit_policy.progress_of((data or {}).get("progress_suggestion")),
            vetoes=vetoes + exit_policy.too_early(work, exit_policy.least(action)),
            sources=tuple(action.exit_sources or exit_policy.ORDER),
            locale=locale,
        )
    )


def _literally(work: Work, action: Any, coverage: Coverage, words: str, *, blocked: bool, risk: bool) -> Step:
    """The item's own question, behind what the reply says before it asks."""
    if not coverage.open:
        return Step(say=(words,) if words else (), wait="message", risk=risk)
    talk = Talk.of(work.frame)
    item = coverage.open[0]
    talk.asked[item.get] = talk.asked.get(item.get, 0) + 1
    talk.in_a_row += 1
    return literal.ask(work, action, item, before_question(words) if blocked else words, risk=risk)


def _count(work: Work, reply: Reply, coverage: Coverage, words: str) -> None:
    """What was asked for, and how many items of the list in a row. ``words``: what is said, all of it; of a reply that
    was still being written when it was read, its own content is not all."""
    talk = Talk.of(work.frame)
    if reply.asks in coverage.names:
        talk.asked[reply.asks] = talk.asked.get(reply.asks, 0) + 1
        talk.in_a_row += 1
    else:
        talk.in_a_row = 0
    own = _QUOTED.sub("", words)
    talk.questions = sum(own.count(mark) for mark in "?？")


def _put(work: Work, words: str, asks: str = "") -> None:
    names = asks if asks and asks != FOLLOW else ""
    if names and not names.startswith(TECHNIQUE):
        come_to(work, [names])
    work.frame.question, work.frame.asking = words, names
    state = QuestionState.of(work.frame)
    state.first = state.first or words
