"""The other P0 scripts on sentences of our own: each must get the level it is filed under, in its script."""

from __future__ import annotations

from pathlib import Path

import yaml
from tests.safety.shipped import matchers, scripts
from tests.table import tabled

TABLE = yaml.safe_load(Path(__file__).with_name("threat_sentences.yaml").read_text(encoding="utf-8"))
EVERY = "all of these"
SENTENCES = [
    (script, level, text)
    for filed, levels in TABLE.items()
    for level, texts in levels.items()
    for text in texts
    for script in (sorted(TABLE.keys() - {EVERY}) if filed == EVERY else [filed])
]


@tabled(("script", "level", "text"), SENTENCES)
def test_level(script: str, level: str, text: str) -> None:
    risk = matchers()[script].match(text)
    found = risk.level or "none"
    allowed = {"explicit", "watch"} if level == "raised" else {level}
    assert found in allowed, f"{text!r} is {found} ({risk.reason}: {risk.evidence!r})"
    assert text[risk.start : risk.end] == risk.evidence


@tabled(
    ("script", "text"),
    [(script, text) for script, level, text in SENTENCES if level == "explicit" and not text.isascii()],
)
def test_however_it_is_written(script: str, text: str) -> None:
    for written in (" ".join(text), "\u200b".join(text), f"今天很累\n{text}", f"{text}！！！"):
        assert matchers()[script].match(written).level == "explicit", written


def test_the_table_is_broad() -> None:
    own = [text for filed, levels in TABLE.items() for texts in levels.values() for text in texts]
    assert len(own) == len(set(own))
    assert len(own) >= 300
    assert set(TABLE) == {*scripts()} - {"suicide_risk"} | {EVERY}
    assert sum(level == "none" for _, level, _ in SENTENCES) >= 120


def test_nobody_is_interrupted_by_what_needs_no_interruption() -> None:
    """Requests for a diagnosis leave the waiting question its answer: the script has nothing that acts at once."""
    assert scripts()["wants_diagnosis"]["then"] == []
