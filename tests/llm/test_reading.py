from __future__ import annotations

import json

import pytest
from tests.llm.material import GOOD, task

from heartrule.language.sentences import Sentences
from heartrule.llm.answer_check import read
from heartrule.llm.provider import Reply
from heartrule.llm.streamed_reply import SAYABLE


@pytest.mark.parametrize("content", ["好" * 1_000_000, "睡不着很难受。" * 150_000, "好\n" * 250_000])
def test_of_a_megabyte_no_more_is_read_than_could_be_shown(content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fed: list[int] = []
    feed = Sentences.feed

    def counted(self: Sentences, text: str) -> list[str]:
        fed.append(len(text))
        return feed(self, text)

    monkeypatch.setattr(Sentences, "feed", counted)
    said = json.dumps({**GOOD, "content": content}, ensure_ascii=False)
    parsed, code = read(Reply(said, "m", tokens_in=1, tokens_out=1, cached=0), task())
    assert (parsed.data, code) == (None, "too_long")
    assert sum(fed) <= SAYABLE + 1
