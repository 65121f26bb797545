"""Questions by others, who have read generated histories and nothing else: what is found of what answers them.

python -m bench.memory.asked --histories FOLDER     the histories, as text that people read
python -m bench.memory.asked --take FOLDER          take questions from here, a JSON Lines file a history
python -m bench.memory.asked [--show]               the figures
python -m bench.memory.asked --write FILE           what `heartrule eval memory` reads
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.memory.generate import as_text
from bench.memory.topics import histories_asked

from heartrule.evals.memories import own
from heartrule.evals.memory_run import run

ASKED = Path(__file__).with_name("asked.jsonl")
K = 8


def name_of(history: dict[str, Any]) -> str:
    return f"{history['id']}-{history['locale'][:2]}"


def take(folder: Path) -> list[str]:
    """What is wrong with them; what is not wrong is kept."""
    wrong, lines = list[str](), list[str]()
    for history in histories_asked():
        file = folder / f"{name_of(history)}.jsonl"
        if not file.exists():
            wrong.append(f"{file.name} is missing")
            continue
        ids = {said["id"] for session in history["sessions"] for said in session["said"] if said["who"] == "person"}
        for at, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            if not line.strip():
                continue
            asked = json.loads(line)
            if not asked.get("evidence") or not {*asked["evidence"], *asked.get("older", ())} <= ids:
                wrong.append(f"{file.name}:{at} names a message that is not there")
                continue
            row = {name: asked[name] for name in ("ask", "kind", "evidence", "older") if name in asked}
            lines.append(json.dumps({"history": history["id"], **row}, ensure_ascii=False) + "\n")
    ASKED.write_text("".join(lines), encoding="utf-8")
    return wrong


def with_questions() -> list[dict[str, Any]]:
    """The histories with the questions of others in place of the generator's."""
    rows = [json.loads(line) for line in ASKED.read_text("utf-8").splitlines()] if ASKED.exists() else []
    return [
        {**history, "questions": [each for each in rows if each["history"] == history["id"]]}
        for history in histories_asked()
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m bench.memory.asked")
    options.add_argument("--histories", type=Path)
    options.add_argument("--take", type=Path)
    options.add_argument("--write", type=Path)
    options.add_argument("--show", action="store_true")
    given: Any = options.parse_args(arguments)
    if given.histories is not None:
        given.histories.mkdir(parents=True, exist_ok=True)
        for each in histories_asked():
            (given.histories / f"{name_of(each)}.txt").write_text(as_text(each), encoding="utf-8")
    elif given.take is not None:
        print("\n".join(take(given.take)) or "all of them")
    elif given.write is not None:
        lines = [json.dumps(each, ensure_ascii=False) + "\n" for each in with_questions()]
        given.write.write_text("".join(lines), encoding="utf-8")
    else:
        _print(show=given.show)


def _print(*, show: bool) -> None:
    for locale in ("zh", "en", ""):
        held = [own(each) for each in with_questions() if each["locale"].startswith(locale)]
        figures, missed = run(held, K)
        for kind in sorted(figures):
            print(locale or "both", kind, figures[kind].data())
        if show and not locale:
            for each in missed:
                print(each.history, each.question.kind, each.question.ask, each.question.evidence, each.found)


if __name__ == "__main__":
    main(sys.argv[1:])
