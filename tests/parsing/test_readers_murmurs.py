"""A sound or a shrug holds nothing; only to a question of yes or no it may be an answer."""

from __future__ import annotations

from tests.table import tabled

from heartrule.parsing.murmurs import asks_yes_or_no, is_bare, says_nothing

BARE: list[tuple[str, bool]] = [
    *((words, True) for words in ("嗯", "嗯嗯", "哦。", "嗯……", "Hmm", "mhm", "uh huh", "um", "oh, hm")),
    *((words, True) for words in ("随便", "随便吧", "嗯，随便你", "那你定吧", "都随便")),
    *((words, True) for words in ("whatever", "up to you", "You decide")),
    *((words, False) for words in ("", "…", "？", "👍", "嗯😭", "不")),
    *((words, False) for words in ("无所谓", "好", "好的", "ok", "没有", "随便走走", "难过", "我随便说说的")),
    *((words, False) for words in ("嗯，难过", "home", "mum", "her", "whatever I do is wrong", "fine", "I don't care")),
]
YES_OR_NO: list[tuple[str, bool]] = [
    *((words, True) for words in ("你有什么想问我的吗？没有也没关系。", "好，要不要歇一歇？", "这样对吗？")),
    *((words, True) for words in ("是不是睡不好？", "Is that right?", "Well, have you slept?", "Alone, is it?")),
    *((words, False) for words in ("那一刻，心里是什么滋味？", "怎么称呼你？", "可以多和我说说吗？", "愿意说说吗？")),
    *((words, False) for words in ("What was that like?", "Could you tell me a little more?", "So how did you feel?")),
    *((words, False) for words in ("Is it mornings or evenings?", "是早上还是晚上？", "要是方便，能不能讲讲那天？")),
    *((words, False) for words in ("说说看。", "", "你没事吧？那是哪一天？")),
]


@tabled(("text", "expected"), BARE)
def test_what_holds_nothing(text: str, expected: bool) -> None:
    assert is_bare(text) is expected


@tabled(("question", "expected"), YES_OR_NO)
def test_what_a_mere_yes_answers(question: str, expected: bool) -> None:
    assert asks_yes_or_no(question) is expected


def test_no_words_at_all_say_nothing_either() -> None:
    assert says_nothing("")
    assert says_nothing("👍")
    assert says_nothing("呃…")
    assert not says_nothing("随便")
