"""Questions that others wrote about generated histories, who saw neither the index nor how facts are made."""

from __future__ import annotations

from bench.memory.asked import K, with_questions

from heartrule.evals.memories import own
from heartrule.evals.memory_run import run


def test_what_answers_the_questions_of_others_is_found() -> None:
    histories = [own(each) for each in with_questions()]
    figures, _ = run(histories, K)
    told = figures["all"]
    assert told.asked == 200
    assert {kind for kind in figures if kind != "all"} == {"fact", "update", "several", "time"}
    assert told.recall / told.asked >= 0.80
    assert figures["update"].newest / figures["update"].changed >= 0.90
