"""``heartrule fmt`` and the reading of other spellings, on scripts as crooked as YAML allows: what they mean is made
beside the text, so that reading and writing cannot be wrong together."""

from __future__ import annotations

import os
import re

import pytest
from tests.language.material import ACTIONS
from tests.language.written_anyhow import Anyhow

from heartrule.language.formatting import formatted
from heartrule.language.spellings.script_reader import parse_script
from heartrule.language.yaml import parse

DOCUMENTS = int(os.environ.get("HEARTRULE_FMT", "40"))
COMMENT = re.compile(r"# c\d+;")


@pytest.mark.parametrize("part", range(8))
def test_crooked_documents_by_chance(part: int) -> None:
    for seed in range(part, DOCUMENTS, 8):
        made = Anyhow(seed)
        text, meant = made.documents()
        assert [each for each in parse(text, "a").findings if each.stops] == [], f"{seed}\n{text}"
        assert parse_script(text, "a").documents == meant, f"{seed}\n{text}"
        raw, errors = formatted(text.encode(), "a", ACTIONS)
        assert errors == [], f"{seed}\n{text}"
        after = raw.decode()
        assert parse(after, "a").documents == meant, f"{seed}\n{text}\n{after}"
        assert sorted(COMMENT.findall(after)) == sorted(COMMENT.findall(text)), f"{seed}\n{text}\n{after}"
        assert len(COMMENT.findall(after)) == made.comments
        assert formatted(raw, "a", ACTIONS)[0] == raw, f"{seed}\n{text}\n{after}"
        crooked = text.replace("\n", "\r\n").encode()
        assert formatted(crooked, "a", ACTIONS)[0] == after.replace("\n", "\r\n").encode(), f"{seed}\n{text}"
