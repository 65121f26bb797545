"""What is spoken without a model, and small repairs of what a model said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from heartrule import parsing
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import missing_reasons
from heartrule.engine.variables.dependencies import wanted as due
from heartrule.engine.variables.scopes import definition, lookup, rules_for
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders
from heartrule.language.nodes import Get, Set
from heartrule.language.sentences import Sentences
from heartrule.locales import is_chinese
from heartrule.parsing.text import is_foreign

EMPTY = "empty"
"""Stands for a repair phrase where an answer was a sound or a shrug and no more, and that is none."""
_TAIL = r"[\s”\"'’」』）)\]~～!！…—\u200d\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]*"
_ASKS = re.compile(rf"[?？]{_TAIL}\Z")
_PUTS = re.compile(r"[?？][^?？]{0,60}\Z")
_ASKING = re.compile("[?？]")
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"")
_LAST_SENTENCE = re.compile(rf"[^。！？!?\n]*[?？]+{_TAIL}\Z")


_NOTE_BEHIND = re.compile(r"[。；;].*\Z|\.\Z", re.DOTALL)
_OF_THE_PERSON = re.compile(
    r"来访者|来访人|当事人|咨询者|求助者|案主|用户|患者|病人|对方|(?<!其)(?<!吉)[他她](?!人|乡)|\bTA\b"
    r"|\bclients?\b|\bthe (?:person|visitor|patient|user)\b"
    r"|\b(?:they|them|their|theirs|themsel\w+|he|she|him|his|her|hers)\b",
    re.IGNORECASE,
)
"""A ``define`` is written to the model: it may speak of the one who is asked as of somebody else."""


def acknowledgement(work: Work) -> str:
    """A short word that the last answer has been heard; variants take turns, but for the last
    word of all. Who would rather not say, while danger is
    gone through, hears that this is understood."""
    if work.state.running is not None and work.state.running.project == SAFETY:
        said = next((each.text for each in reversed(work.messages) if each.sender == "person"), "")
        if parsing.repair(said, work.world.script.locale) in ("skip", "stop"):
            return work.spoken("heard_unwilling")
    elif (line := in_their_language(work)) is not None:
        return line
    return work.spoken("heard_last" if work.state.ended else "acknowledge", work.state.seq)


def in_their_language(work: Work) -> str | None:
    """Where they have just written in the other language than the session's: once, and in that language, that they may,
    and which one is spoken here. Their words count as ever."""
    said = next((each.text for each in reversed(work.messages) if each.sender == "person"), "")
    if not is_foreign(said, work.world.script.locale):
        return None
    line = work.spoken("other_language", 0)
    return None if any(line in each.text for each in work.transcript() if each.sender == "ai") else line


def asks(text: str) -> bool:
    """Whether a reply ends by asking something."""
    return _ASKS.search(text) is not None


def puts_a_question(text: str) -> bool:
    """Whether a reply asks something, if need be with a short remark after the question ("one word will do")."""
    return _PUTS.search(text.strip()) is not None


def last_question(text: str) -> str:
    """The question that a reply ends in, without what was said before it; empty where it ends in none."""
    found = _LAST_SENTENCE.search(text)
    return found.group().strip() if found is not None else ""


def before_question(text: str) -> str:
    """The sentences of a reply that stand before the first one that asks something; what is quoted asks nothing. Of the
    beginning of a reply, cut after a sentence, it is the beginning of what it is of the whole."""
    cut = Sentences()
    sentences = (*cut.feed(text), cut.rest)
    return "".join(takewhile(lambda sentence: not _asks_of_its_own(sentence), sentences)).strip()


def _asks_of_its_own(sentence: str) -> bool:
    """Whether it asks, rather than quoting a question beside other words."""
    rest = _QUOTED.sub("", sentence)
    return _ASKING.search(rest if parsing.fold(rest) else sentence) is not None


def just_said(work: Work) -> str:
    """What the AI has said last in this turn, since the person spoke: the words that choices belong to."""
    last = work.messages[-1] if work.messages else None
    return last.text if last is not None and last.sender == "ai" else ""


def question_for(work: Work, output: Sequence[Get | Set], name: str | None) -> str:
    """An output's own question; without one a question made from its ``define``, where that may be said to the person;
    else an open one."""
    return _for(work, output, name) or work.spoken("ask_open", 0)


def next_question(work: Work, output: Sequence[Get | Set], name: str, own: str, lead: str = "") -> tuple[str, str]:
    """What is said to go on to the next output, and the question in it. ``own``: the action's literal question, put
    once more where the ``define`` speaks of the person to someone else. ``lead`` stands for the acknowledgement."""
    made = _for(work, output, name)
    question = made or own or work.spoken("ask_open", 0)
    rest = () if made or not own else (work.spoken("ask_rest", 0),)
    return "\n".join((lead or acknowledgement(work), *rest, question)), question


def _for(work: Work, output: Sequence[Get | Set], name: str | None) -> str:
    item = next((item for item in due(work, output) if name is None or item.get == name), None)
    if item is not None and item.question and (own := fill(work, item.question, to_person=True)):
        return own
    wanted = meant(work, output, name)
    return _filled(work.spoken("ask_from_define", 0), define=wanted) if wanted else ""


def meant(work: Work, output: Sequence[Get | Set], name: str | None) -> str:
    """What an output asks for (None: the first one), in words that may be said to the person; empty where there are
    none."""
    item = next((item for item in due(work, output) if name is None or item.get == name), None)
    if item is None:
        return ""
    rules = rules_for(definition(work, item.get)[1], item)
    wanted = _NOTE_BEHIND.sub("", fill(work, rules.define, to_person=True)) or item.get.rpartition(".")[2]
    role = work.world.script.roles.get("person")
    if _OF_THE_PERSON.search(wanted) or (role is not None and role.name and role.name in wanted):
        return ""
    return wanted


def called(work: Work, output: Sequence[Get | Set], name: str) -> str:
    """What an output is called to the person: its meaning, else the variable's own name where that is in the language
    of the session, else a word that names nothing."""
    own = name.rpartition(".")[2].replace("_", " ")
    fits = own.isascii() != is_chinese(work.world.script.locale)
    return meant(work, output, name) or (own if fits and name else "") or work.spoken("missing_value", 0)


def _filled(sentence: str, **given: str) -> str:
    """A sentence of the scheme with what it names put in, in one pass."""

    def value(name: str) -> str | None:
        return given.get(name)

    return placeholders.fill(sentence, value, lambda _: None, missing=lambda each: given.get(each.name, each.source))


def reask(
    work: Work, question: str, reason: str, repair: str | None, output: Sequence[Get | Set] = (), name: str = ""
) -> str:
    """The same question once more, with a word about why, which may say what is missing (``name`` of ``output``)."""
    if repair == EMPTY:
        reason, repair = "tell_more", None
    if repair:
        lead = work.spoken(
            "purpose_again" if repair == "purpose" and told_why(work, question) else f"repair_{repair}", 0
        )
    else:
        wanted = called(work, output, name) if name else work.spoken("missing_value", 0)
        earlier = missing_reasons.contradicted_before(work).get(name, "")
        lead = _filled(work.spoken(reason, work.frame.round), define=wanted, earlier=earlier)
    if work.running.project != SAFETY and (line := in_their_language(work)) is not None:
        lead = f"{line}\n{lead}"
    return f"{lead}\n{question}" if question else lead


def told_why(work: Work, question: str) -> bool:
    """Whether it was said before why this very question is asked; from now on it was."""
    state = QuestionState.of(work.frame)
    before, state.why = state.why, question
    return before == question


def way_back(work: Work) -> str:
    """Out of the safety project to what was being talked about. A topic's name is for authors and is not said."""
    if lookup(work, "near_said") is True:  # danger was near: going on is theirs to say
        return work.spoken("resume_or_rest", 0)
    talked = any(frame.kind == "topic" for frame in work.state.frames)
    said = work.spoken("resume_topic", 0) if talked else ""
    return "\n".join(filter(None, (work.spoken("resume_gently", 0), said)))
