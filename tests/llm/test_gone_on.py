"""What goes on from words that were shown never runs into their last sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.language.sentences import Sentences
from heartrule.llm.streamed_reply import gone_on


@pytest.mark.parametrize(
    ("said", "rest", "whole"),
    [
        ("我在。", "多久了？", "我在。多久了？"),
        ("好的，", "多久了？", "好的，\n多久了？"),
        ("I see.", "How long?", "I see. How long?"),
        ("I see.", " How long?", "I see. How long?"),
        ("I see,", "How long?", "I see,\nHow long?"),
        ("我在。", " \n", "我在。"),
        ("我在。", "", "我在。"),
    ],
)
def test_it_begins_a_sentence_of_its_own(said: str, rest: str, whole: str) -> None:
    assert gone_on(said, rest) == whole


PIECES = st.lists(
    st.sampled_from(["好的，", "我在。", "嗯……", "I see. ", "e.g. this", "对吗？", "\n", " ", "3. ", "“好。”"])
)


@given(PIECES, st.integers(0), PIECES)
def test_what_was_shown_stays_a_beginning_wherever_it_was_cut(before: list[str], at: int, after: list[str]) -> None:
    sentences = Sentences().feed("".join(before) + "末")
    said, rest = "".join(sentences[: at % (len(sentences) + 1)]).strip(), "".join(after)
    if not said:
        return
    whole = gone_on(said, rest)
    assert whole.startswith(said)
    assert whole.removeprefix(said).strip() == rest.strip()
    cut = Sentences()
    ends = [0]
    for sentence in (*cut.feed(whole), cut.rest):
        ends.append(ends[-1] + len(sentence))
    blanks = len(whole) - len(said) - len(whole[len(said) :].lstrip())
    assert any(len(said) <= end <= len(said) + blanks for end in ends)
