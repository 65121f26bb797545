"""How replies were reported and judged, as people read it, and as programs do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from heartrule.cli.safe_text import shown as safe
from heartrule.cli.words import Words
from heartrule.store.judgements import Judgements


def shown(found: Sequence[Judgements], words: Words) -> Iterator[str]:
    """Of the scripts whose replies were reported or judged; nothing where none was."""
    told = [each for each in found if each.reported or each.reviewed]
    if told:
        yield words("judged_head")
    for each in told:
        yield "  " + words(
            "judged",
            script=safe(each.script),
            reported=f"{each.reported:,}",
            turns=f"{each.turns:,}",
            reported_share=_share(each.reported_share),
            reviewed=f"{each.reviewed:,}",
            unsuitable=f"{each.unsuitable:,}",
            harmful=f"{each.harmful:,}",
            sampled=f"{each.sampled:,}",
            unsuitable_share=_share(each.unsuitable_share),
        )


def plain(each: Judgements) -> dict[str, Any]:
    return asdict(each) | {"reported_share": each.reported_share, "unsuitable_share": each.unsuitable_share}


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
