"""Variables that are listened for (``listen``): whatever is asked, as long as their declaration can be seen.

A model that found nothing is believed. Where none answers the variable's own rules read the words, and nothing else
does: a number, a yes or a word means nothing without its question.
"""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.engine import scopes
from heartrule.engine.actions.base import Heard
from heartrule.engine.extraction import EVIDENCE
from heartrule.engine.work import SAFETY, Work
from heartrule.language import readers
from heartrule.language.nodes import Variable


def listened(work: Work) -> Iterator[Variable]:
    """Those that are listened for here, outer declarations first, each in its own order. None in the safety project."""
    if work.state.running is None or work.running.project == SAFETY:
        return
    for variable in scopes.declared(work):
        if variable.listen is None:
            continue
        where, counts = scopes.definition(work, variable.var)
        if counts is variable and where in work.chain():
            yield variable


def by_rules(work: Work, variable: Variable, heard: Heard) -> bool:
    """Write what the variable's own rules find in the words. False where they find nothing that it may be."""
    read = readers.read_by_rules(variable, heard.text, work.world.script.locale, work.world.now)
    if read is None:
        return False
    return scopes.write(
        work, variable.var, read.value, strategy="passive", evidence=read.evidence[:EVIDENCE], rules=variable
    )
