"""A message that opens by taking back something said before."""

from __future__ import annotations

import pytest

from heartrule.language.patterns import MAX_PATTERN, compiled
from heartrule.parsing.corrections import checks, correction, patterns


def test_every_pattern_can_be_read() -> None:
    found = list(patterns())
    assert len(found) > 30
    assert all(len(pattern) <= MAX_PATTERN and compiled(pattern) is not None for pattern in found)


@pytest.mark.parametrize(
    ("text", "plain", "new", "about"),
    [
        ("不对，刚才说错了，是三个月", "earlier", "三个月", ""),
        ("不对,刚才说错了,是三个月。", "earlier", "三个月", ""),
        ("刚才说错了，三个月", "earlier", "三个月", ""),
        ("不好意思，刚才说错了，是我妈打来的", "earlier", "我妈打来的", ""),
        ("我刚才说的不对，是三个月", "earlier", "三个月", ""),
        ("我前面记错了，应该是三个月才对", "earlier", "三个月", ""),
        ("刚刚那句说错了，是8", "earlier", "8", ""),
        ("不对，刚才的强度是8", "earlier", "8", "强度"),
        ("啊不对，刚才心情应该是5", "earlier", "5", "心情"),
        ("刚才的强度应该是8", "earlier", "8", "强度"),
        ("前面的心情应该是5", "earlier", "5", "心情"),
        ("把刚才的心情改成5", "earlier", "5", "心情"),
        ("刚才说的应该是三个月", "earlier", "三个月", ""),
        ("我想改一下刚才的，是三个月", "earlier", "三个月", ""),
        ("刚才心情说错了，应该是5分", "earlier", "5分", "心情"),
        ("刚才说的时间不对，是三个月", "earlier", "三个月", "时间"),
        ("my mood earlier was wrong, it should be 5", "earlier", "5", "mood"),
        ("更正一下，是三个月", "earlier", "三个月", ""),
        ("更正：三个月", "earlier", "三个月", ""),
        ("我要纠正一下，心情是5", "earlier", "5", "心情"),
        ("说错了，是周日早上", "wrong", "周日早上", ""),
        ("等等，我说错了，应该是周日", "wrong", "周日", ""),
        ("记错了，是三个月", "wrong", "三个月", ""),
        ("哎呀打错了，是8", "wrong", "8", ""),
        ("口误，是三个月", "wrong", "三个月", ""),
        ("不对，三个月", "denied", "三个月", ""),
        ("不对不对，是三个月", "denied", "三个月", ""),
        ("刚才说错了", "earlier", "", ""),
        ("sorry, I meant three months", "earlier", "three months", ""),
        ("Sorry, I meant to say three months.", "earlier", "three months", ""),
        ("no, what I meant was Sunday", "earlier", "Sunday", ""),
        ("no wait, earlier my mood should be 5", "earlier", "5", "mood"),
        ("correction: the intensity is 8", "earlier", "8", "intensity"),
        ("Correction: three months", "earlier", "three months", ""),
        ("let me correct that, it was three months", "earlier", "three months", ""),
        ("sorry, what I said earlier was wrong, it's three months", "earlier", "three months", ""),
        ("I was wrong earlier, it's Sunday", "earlier", "Sunday", ""),
        ("I said it wrong, it was three months", "wrong", "three months", ""),
        ("Sorry, I said that wrong. It should be 8.", "wrong", "8", ""),
        ("wait, I misspoke, it was Sunday", "wrong", "Sunday", ""),
        ("my mistake, it's Sunday", "wrong", "Sunday", ""),
        ("no wait, three months", "denied", "three months", ""),
    ],
)
def test_it_says_how_plainly_what_it_is_and_what_it_is_about(text: str, plain: str, new: str, about: str) -> None:
    found = correction(text)
    assert found is not None
    assert (found.plain, found.new, found.about) == (plain, new, about)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("我刚才说的不是一个月，是三个月", "一个月", "三个月"),
        ("刚才的心情不是3，是5", "3", "5"),
        ("我刚才说心情是3，其实是5", "3", "5"),
        ("earlier I said one month, it should be three months", "one month", "three months"),
    ],
)
def test_it_says_what_it_is_not(text: str, old: str, new: str) -> None:
    found = correction(text)
    assert found is not None
    assert (found.old, found.new, found.shaped) == (old, new, True)


@pytest.mark.parametrize(
    "text",
    [
        *("不对称的感觉", "不对劲", "不对劲，心里慌", "不是我的错", "不是，我觉得还好", "不对", "不是"),
        *("说错话了", "说错了话，被老板骂", "记错了时间，迟到了", "刚才开会说错了，被骂", "做错了一件事"),
        *(
            "刚才是我妈打电话来",
            "刚才我妈打电话来骂我",
            "之前应该是三个月前开始的",
            "前面的人太多",
            "刚才还好，现在不行",
        ),
        *("不是一个月，是三个月", "没说错，就是三个月", "前面的人太多", "我想改一下自己的生活", "刚才说错了吗？", ""),
        *("I meant to call him", "not my fault", "I was wrong about everything", "no, I don't think so", "no", "sorry"),
        *("earlier this year it was worse", "Earlier I was at home", "I made a mistake at work", "sorry for my mum"),
        *("no, earlier I was at home", "corrections at school", "it is wrong to feel so", "I put the wrong shoes on"),
        "刚才说错了，" + "很长的话" * 100,
    ],
)
def test_an_answer_that_holds_such_words_is_an_answer(text: str) -> None:
    assert correction(text) is None


@pytest.mark.parametrize("question", ["我说得对吗？", "是这样吗？", "照你的意思，该怎么说才对？", "Is that right?"])
def test_a_question_whether_something_is_right_takes_a_no_for_an_answer(question: str) -> None:
    assert checks(question)
    assert not checks("刚开始那阵子，生活里有没有什么变动？")
    assert not checks("What was going on then?")
