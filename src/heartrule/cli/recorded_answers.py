"""Answers that were recorded from a model: the options of evaluations that read them, give prompts out, take answers
in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from heartrule.cli.evaluations import configured_model, progress, rows_or_stop
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.words import Words, said

if TYPE_CHECKING:
    from heartrule.evals.extraction_answers import RecordedAnswer
    from heartrule.evals.session_run import ItemOutcome, NamedItem, Session

    Item = TypeVar("Item", bound=NamedItem)
    Outcome = TypeVar("Outcome")

Mode = Annotated[
    Literal["model", "rules"],
    typer.Option("--mode", help=said("问模型，或不用模型。", "Ask a model, or do without one.")),
]
Answers = Annotated[
    Path | None,
    typer.Option(
        "--answers", metavar="FILE", help=said("读录好的回答，不问模型。", "Read recorded answers; ask no model.")
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        "--prompts",
        metavar="DIR",
        help=said(
            "只把 --answers 还没有答的提示词写成 <编号>.txt；同 --record：当时写出的提示词，已经变了的不收。",
            "Only write the prompts that --answers do not answer, as <id>.txt; with --record: the prompts as written, "
            "answers to others are left out.",
        ),
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="DIR",
        help=said(
            "只把 <编号>.json 收进 --out 的文件，连同 --answers 里的。",
            "Only gather answers <id>.json into the file of --out, with those of --answers.",
        ),
    ),
]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help=said("--record 写到哪里。", "Where --record writes."))
]
Parallel = Annotated[
    int, typer.Option("--parallel", min=1, max=64, help=said("同时最多几次调用。", "Calls at once, at most."))
]


def agree(
    mode: str, answers: Path | None, prompts: Path | None, record: Path | None, out: Path | None, words: Words
) -> None:
    """The end, where options do not go together."""
    if (record is None) != (out is None):
        raise stop(words("extract_record_out"), 2)
    if mode == "rules" and not (answers is None and prompts is None and record is None):
        raise stop(words("listening_rules_alone"), 2)


def recorded(answers: Path | None, words: Words) -> Mapping[str, RecordedAnswer]:
    """By the id of the prompt; none without a file."""
    from heartrule.evals import extraction_answers

    return rows_or_stop(lambda: extraction_answers.load_answers(answers), words) if answers is not None else {}


def give_out(
    sessions: Sequence[Session[NamedItem, object]], recorded: Mapping[str, RecordedAnswer], folder: Path, words: Words
) -> None:
    """Write every prompt that is not answered as a file of its own."""
    from heartrule.evals import extraction_answers, session_run

    asked = session_run.unanswered(sessions, recorded, progress(words))
    try:
        count = extraction_answers.rendered(asked, folder)
    except OSError as error:
        raise stop(words("extract_unwritten", path=folder, why=error.strerror), 2) from None
    echo(words("extract_rendered", count=count, folder=folder))


def take_in(
    sessions: Sequence[Session[NamedItem, object]],
    recorded: Mapping[str, RecordedAnswer],
    folder: Path,
    prompts: Path | None,
    out: Path,
    words: Words,
) -> None:
    """Write the answers of a folder into one file, with those that are there already and still fit."""
    from heartrule.evals import extraction_answers, session_run

    asked = session_run.unanswered(sessions, recorded, progress(words))
    found = extraction_answers.gathered(asked, folder, prompts)
    kept = [each for name, each in recorded.items() if name not in asked]
    try:
        extraction_answers.dump_answers(out, [*kept, *found.answers])
    except OSError as error:
        raise stop(words("extract_unwritten", path=out, why=error.strerror), 2) from None
    count, every = len(kept) + len(found.answers), len(kept) + len(asked)
    echo(words("extract_recorded", count=count, all=every, path=out))
    for key, ids in (("extract_no_answer", found.missing), ("extract_changed", found.changed)):
        if ids:
            echo(words(key, count=len(ids), ids=" ".join(ids)))


def heard(
    sessions: Sequence[Session[Item, Outcome]],
    recorded: Mapping[str, RecordedAnswer] | None,
    parallel: int,
    data: Path | None,
    words: Words,
) -> list[ItemOutcome[Item, Outcome]]:
    """What comes of the sessions, with recorded answers or, where there are None, with the configured model."""
    import asyncio

    from heartrule.evals import session_run

    told = progress(words)
    if recorded is not None:
        return session_run.by_answers(sessions, recorded, told)

    async def asked() -> list[ItemOutcome[Item, Outcome]]:
        model, _ = configured_model(data, words)
        try:
            return await session_run.PromptRun(model, parallel, told).run(sessions)
        finally:
            await model.aclose()

    return asyncio.run(asked())
