"""What a reader is given, and the key that they are not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

from bench.comparing.items import LETTERS, Item, Told, drawn, material, wanted
from bench.comparing.material import PROJECTS
from bench.comparing.plain import of
from bench.comparing.unchanged import Unchanged, unchanged

CHUNK = 30
ASKED = (Path(__file__).parent / "asked.md").read_text(encoding="utf-8")
_BEFORE, _AFTER = ("原来", "before"), ("现在", "after")


def write(out: Path, key: Path, seed: int, numbers: Sequence[int] | None = None, workers: int = 0) -> list[Item]:
    """``reader-01.md`` and so on in ``out``; ``key.json`` in ``key``."""
    kinds = wanted()
    chosen = range(len(kinds)) if numbers is None else numbers
    for project in PROJECTS:
        assert material(project).fields  # read once, before there are several processes
    with ProcessPoolExecutor(workers or os.cpu_count() or 1) as pool:
        jobs = [pool.submit(partial(drawn, seed, n, kinds[n])) for n in chosen]
        equal = pool.submit(unchanged, seed)
        items = [job.result() for job in jobs]
        same = equal.result()
    out.mkdir(parents=True, exist_ok=True)
    key.mkdir(parents=True, exist_ok=True)
    mixed = [items[n] for n in _mixed(len(items), seed)]
    for number, start in enumerate(range(0, len(mixed), CHUNK), 1):
        page = "\n".join([ASKED, *(block for each in mixed[start : start + CHUNK] for block in _block(each))])
        (out / f"reader-{number:02}.md").write_text(page, encoding="utf-8")
    kept = {"seed": seed, "items": [_kept(each) for each in mixed], "unchanged": [_equal(each) for each in same]}
    (key / "key.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
    return mixed


def _mixed(size: int, seed: int) -> list[int]:
    return Random(f"{seed}/order").sample(range(size), size)


def _kept(each: Item) -> dict[str, object]:
    return {
        "id": each.id,
        "answer": each.answer,
        "kind": each.kind,
        "language": each.language,
        "project": each.project,
        "hows": dict(zip(LETTERS, each.hows, strict=True)),
        "deeds": each.deeds,
        "statements": len(each.words),
        "same_words": list(each.same),
        "words": [list(one) for one in each.words],
    }


def _equal(each: Unchanged) -> dict[str, object]:
    return {"how": each.how, "file": each.file, "said": list(each.said)}


def _block(each: Item) -> Iterator[str]:
    yield f"\n## {each.id}\n"
    yield from _words(each.words)
    for letter, lines in zip(LETTERS, each.candidates, strict=True):
        yield f"\n**{letter}**"
        for line in lines:
            yield f"- {line.place}"
            yield f"  - {of(each.language, _BEFORE)}: {line.before}"
            yield f"  - {of(each.language, _AFTER)}: {line.after}"


def _words(words: Told) -> Iterator[str]:
    """As ``heartrule projects compare`` prints them."""
    last = None
    for file, sentence in words:
        if file != last:
            yield f"> {file}\n>"
        last = file
        yield f"> - {sentence}"
