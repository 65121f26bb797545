"""``python -m bench.other_dangers``: of threats to others, violence, children in danger and emergencies, how much the
rules hear of what people wrote who had not seen them; without a language model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bench.risk_model.held_out import node

from heartrule.classifiers import configured
from heartrule.engine.awareness.awareness import asks, read_along
from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.engine.installed_types import field_models
from heartrule.engine.session.awareness_results import Verdict
from heartrule.evals.figures import wilson
from heartrule.language.nodes import Awareness
from heartrule.language.projects.library import Library

FOLDER = Path(__file__).parent
OWN = {
    "threat": "threat_to_others",
    "violence": "under_threat",
    "child": "under_threat",
    "medical": "urgent_illness",
}
"""The script that is meant for each kind."""


@dataclass(frozen=True, slots=True)
class Heard:
    """``by``: which scripts heard it; ``interrupts``: which of them stop what is going on."""

    kind: str
    text: str
    by: frozenset[str]
    interrupts: frozenset[str]


def scripts() -> dict[str, Awareness]:
    """The scripts on danger, by id, with rules of their own."""
    safety = Library([], field_models()).safety
    assert safety is not None
    wanted = {*OWN.values(), node().id}
    return {each.id: each for each in safety.awareness if each.id in wanted and each.id}


def heard(row: dict[str, str], among: dict[str, Awareness]) -> Heard:
    levels = {name: _level(name, script, row["text"]) for name, script in among.items()}
    by = frozenset(name for name, level in levels.items() if level != "no")
    return Heard(row["kind"], row["text"], by, frozenset(name for name in by if levels[name] == "yes"))


def _level(name: str, script: Awareness, text: str) -> Literal["yes", "watch", "no"]:
    rules = asks(script).rules
    assert rules is not None
    match = matcher_for(rules).match(text)
    level: Literal["yes", "watch", "no"] = "yes" if match.level == "explicit" else match.level or "no"
    ruled = Verdict(name, script, level, "rules", match.reason, match.evidence, doubted=match.doubted)
    read = read_along(ruled, configured(), text).verdict
    return "yes" if read == "yes" else "watch" if read == "watch" else "no"


def table(language: str, rows: Sequence[Heard]) -> Iterator[str]:
    for kind in (*OWN, "near"):
        some = [each for each in rows if each.kind == kind]
        own = _share([OWN[kind] in each.by for each in some]) if kind in OWN else "–"
        any_, stops = _share([bool(each.by) for each in some]), _share([bool(each.interrupts) for each in some])
        yield f"| {kind} | {language} | {len(some)} | {own} | {any_} | {stops} |"


def _share(hits: Sequence[bool]) -> str:
    share = wilson(sum(hits), len(hits))
    return f"{share.value:.1%} ({share.low:.0%}–{share.high:.0%})" if share is not None else "–"


def main() -> int:
    among = scripts()
    print("| kind | language | sentences | heard by its own script | heard by any | interrupted |")
    print("|---|---|---|---|---|---|")
    for language in ("zh", "en"):
        lines = (FOLDER / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [heard(json.loads(line), among) for line in lines]
        print("\n".join(table(language, rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
