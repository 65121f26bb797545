"""The files of phrases that are read as a whole."""

from __future__ import annotations

from typing import get_args

import pytest

from heartrule.language.patterns import MAX_PATTERN, compiled
from heartrule.parsing.murmurs import Kind
from heartrule.parsing.newer_or_earlier import Chosen
from heartrule.parsing.phrase_files import Language, phrases
from heartrule.parsing.questions import QuestionBack
from heartrule.parsing.remarks import Remark
from heartrule.parsing.repairs import Repair
from heartrule.parsing.single_values import Telling

FILES = {"repairs": get_args(Repair), "questions": get_args(QuestionBack), "newer_or_earlier": get_args(Chosen)}
FILES |= {"single_values": get_args(Telling), "murmurs": get_args(Kind), "remarks": get_args(Remark)}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_is_written_in_both_languages_and_can_be_read(name: str) -> None:
    found = phrases(name)
    assert set(found.kinds) == set(FILES[name])
    for written in found.kinds.values():
        assert set(written) == set(get_args(Language))
        patterns = [pattern for several in written.values() for pattern in several]
        assert all(len(pattern) <= MAX_PATTERN and compiled(pattern) is not None for pattern in patterns)


def test_a_phrase_is_the_whole_message_with_what_may_stand_round_it() -> None:
    found = phrases("repairs")
    assert found.is_one("skip", "zh", "那个我想跳过这个问题吧")
    assert found.is_one("skip", "en", "well can we skip this please")
    assert not found.is_one("skip", "zh", "我想跳过这个问题因为我累了")
    assert not found.is_one("repeat", "zh", "跳过")


def test_words_are_put_in_for_their_names() -> None:
    whole = [pattern for kind in phrases("repairs").kinds.values() for several in kind.values() for pattern in several]
    assert whole
    assert not any("<" in pattern for pattern in whole)
