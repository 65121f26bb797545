"""Words that were on their way when the session ended: kept, and where they speak of danger, whom to call."""

from __future__ import annotations

from heartrule.engine.awareness import awareness
from heartrule.engine.session.io import Input
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import Work


def hear_after_the_end(work: Work, given: Input) -> None:
    for words in given.words:
        work.receive(words.text)
    ruled = awareness.by_rules(work, "\n".join(words.text for words in given.words))
    acting = list(awareness.acting(work, ruled))
    if any(verdict.verdict == "yes" for verdict, _ in acting):
        work.tell(fill(work, "{%crisis_contacts%}", to_person=True))
