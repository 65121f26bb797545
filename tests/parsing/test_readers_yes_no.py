"""Yes and no. The tables are the contract: a wrong "no" to a question about suicide kills, so doubt is no answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value
from heartrule.parsing.yes_no import read_yes_no

BOOLEAN = Variable(var="想过自杀", type="boolean", risk=True)

YES = r"""
是|是的|是。|是！|是啊|是呀|是呢|是哦|是的是的|有|有的|有。|有啊|有过|有呀|有一点|有点|有一些|我有|我有的|我有过
我真的有|我确实有|确实有|当然有|其实有|对|对的|对啊|对对|对对对|没错|嗯|嗯嗯|嗯。|嗯！|嗯嗯嗯|恩|嗯呢|嗯哼
嗯，是的|嗯是的|嗯，有|嗯有|嗯对|会|会的|会啊|我会|想|想的|想过|我想过|我也想过|我也有|愿意|我愿意|愿意的|需要
需要的|同意|我同意|好|好的|好啊|好呀|行|行啊|可以|可以的|可以啊|要|要的|确实|的确|当然|肯定|经常|常常|总是|一直
一直有|经常有|每天都有|是的，我有|是的，谢谢|有，昨天晚上|有，上个月开始的|是的。我最近总是失眠|有，每天晚上都想
是的，老师|对，经常|对，我有|ＹＥＳ|是\u200b的|是 的|  是  |是\n有|“有”|yes|Yes|YES|Yes.|yes!|yes yes|yeah|yea
yep|yup|sure|Sure!|of course|definitely|absolutely|certainly|correct|right|that's right|exactly|indeed|true
always|I do|I am|I have|I did|I was|I would|I will|Yes, I do|Yes, I have|Yes I am|yes please|yes, definitely
I really do|a little|a bit|ok|OK.|okay|alright|uh huh|mhm|y|Y|yes, since last week|Yes, every night|yeah, I have
有过一次|我有过两次|试过一次|想过很多次|嗯，有过一次|係|係呀|會
yes, thank you|Yes. Always.|um, yes|well, yes|是的，yes|true|TRUE
"""

NO = r"""
没有|没有。|没有！|没|没。|没有啊|没有呀|没有哦|没有的|没有过|没过|我没有|我没|我真没有|我真的没有|真的没有
从来没有|从来都没有|从没有|完全没有|绝对没有|根本没有|一点都没有|一次都没有|一次也没有|丝毫没有|并没有|没有没有
没有，没有|没有，谢谢|没有，放心|没有想过|没想过|从来没有想过|从来没想过|我没想过|没发生过|我没有这种想法
没有这样的想法|没有任何这种念头|我从来没有这种想法|没有这种情况|没有这些症状|嗯，没有|嗯没有|哦没有|啊，没有|不
不。|不不|不不不|不是|不是的|我不是|不会|不会的|我不会|绝对不会|不想|我不想|不愿意|我不愿意|不需要|不用|不用了
不用了谢谢|不要|不了|不行|不可以|不对|不同意|否|木有|没得|谢谢，不用|没有，我很好|没有\n没有|没 有|没有~
「没有」|沒有|從來沒有|沒有想過|冇|冇啊|從來冇|唔係|唔想|我唔會|莫得|勿是|呒没
no|No|NO|No.|no!|nope|nah|never|Never.|not at all|no way|definitely not|absolutely not|certainly not
of course not|no, never|no, not at all|no no|no, thank you|no thanks|n|I don't|I do not|I haven't|I have not
I didn't|I'm not|I am not|I won't|I wouldn't|I wasn't|No, I don't|No, I haven't|no I am not|no, I'm not
No. Thanks.|um, no|well, no|I really don't|no, I'm fine|No, really|I’m not|I don’t|false|FALSE
"""

NEITHER = r"""
我想💀|想\n死|想\n离开这个世界|想，但是|好😭|嗯💔|我想睡觉|不需要了|。|……|…|？|!|1|0|7|A|😭|可能|可能吧|也许
也许有|或许吧|大概吧|应该没有|应该有|应该是|应该不会|好像有|好像没有|似乎有|差不多|不知道|我不知道|不清楚|不确定
说不清|不好说|难说|有时候|有时|有时会|有时候有|偶尔|偶尔有|偶尔会|不一定|看情况|一般|还好|还行|还可以|一般般
算是吧|算是|是吧|对吧|有吧|没有吧|不是吧|不会吧|好吧|行吧|嗯吧|勉强|几乎没有|基本没有|很少|很少有|不太会|不太想
不怎么想|没怎么想过|不全是|不完全是|还没|还没有|还没想过|暂时没有|目前没有|现在没有|最近没有|今天没有|这两天没有
以前有|以前有过|之前没有|过去有|曾经有过|有但是没有|有，但是没有很严重|有，不过没行动|有，可是不敢
没有，但是有时候会|没有，不过想过|没有，就是偶尔会想不如死了算了|没有，只是觉得累|没有，除了昨天|虽然没有
有又没有|有也没有|又有又没有|说有也有，说没有也没有|有，没有|没有，有|是，不是|不，有|对，没有|是的，没有
嗯，也不是|不是没有|不是，没有|不是没想过|并不是没有|没有不开心|没有不想|不是不想|不会不想|不得不|并非没有
没有了|不会了|不想了|不会再有了|没有办法|没办法|没有意思|没意思|没劲|没用|没事|没关系|没问题|没什么|没有什么
没有希望|没有人在乎我|没有活下去的理由|没有未来|没有明天了|没有才怪|没有力气|不想活了|不想活|不活了|不好|不舒服
不重要|不值得|不行了|我不行了|不配|无所谓|都行|随便|无|怎么会没有|谁没有|能没有吗|不可能没有|要说没有是假的
没有想过别的|没有别的办法|没有人知道|有吗|有吗？|有没有|有没有呢|是吗|是吗？|是不是|会不会|对吗|没有吗|没有？
没有??|有？|不是吗|真的吗|好吗|为什么|什么意思|你觉得呢|谁|是什么|有什么关系|没有……|没有…|没…|嗯……|嗯...|嗯嗯…
好……|没有😭|没有😢|不😭|没有💔|没有:(但|嗯，我不知道|嗯，我想想|好，我想一下|好，我知道了|行，你说|可以，怎么做
嗯，但是很累|哦|啊|额|那个|是我妈让我来的|有病吧你|有意思|有道理|有一个朋友|是昨天的事|会议取消了|想睡觉|想死
想哭|对不起|对了我想问|好累|好难过|好烦|行尸走肉|要死了|可怜|肯定不会好了|经常想死但不敢|是的，我不想活了
有，但没有计划|有，为什么问|是的，谁告诉你的|有，什么时候说|没有，我恨自己|没有，我只想睡|没有，别管我
没有\n想过一次|不是\n是我姐姐|没有，真的没有，可是好累|maybe|Maybe.|perhaps|possibly|probably|probably not
I guess|I guess so|I guess not|I think so|I don't think so|sometimes|occasionally|kind of|kinda|sort of
not really|not sure|I'm not sure|I don't know|idk|dunno|no idea|it depends|yes and no|no and yes|not yet|not now
not today|not anymore|not any more|no longer|hardly|hardly ever|barely|rarely|almost never|mostly|somewhat
no, but sometimes|yes, but not often|no but I want to|not until now|no one cares|no reason to live|no point
no hope|no more|never mind|never again|never better|no problem|no comment|no doubt|no, I want to die
No, I'm not okay|no I'm not ok|I never sleep|not|nothing|nobody|none of it|neither|I can't|I cannot|I don't care
I don't want to live|I have nothing|I am nothing|I do what I can't|yes?|no?|really?|why|what|do I|am I
yes, why do you ask|yes, I don't care|yes though|used to|I did before|before, yes|not lately|not recently
no, not right now|just a little, no|no 😭|okay, I will think about it|ok but why|right, so what|well|um|hmm
thanks|hello|yes no|no yes|yes, no|not no|not never|if I could|only when alone|still here
"""


def cells(table: str) -> list[str]:
    return [cell for line in table.strip("\n").split("\n") for cell in line.split("|")]


def written(cell: str) -> str:
    """``\\n`` and ``\\u200b`` in the tables stand for what they name."""
    return cell.replace("\\n", "\n").replace("\\u200b", "\u200b")


@tabled("text", sorted({written(cell) for cell in cells(YES)}))
def test_yes(text: str) -> None:
    assert read_yes_no(text) is True


@tabled("text", sorted({written(cell) for cell in cells(NO)}))
def test_no(text: str) -> None:
    assert read_yes_no(text) is False


@tabled("text", sorted({written(cell) for cell in cells(NEITHER)}))
def test_neither(text: str) -> None:
    assert read_yes_no(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("有", True), ("没有。", False), ("可能吧", None), ("不知道", None), ("什么意思", None), ("跳过", None)],
)
def test_a_boolean_variable_reads_so(text: str, value: bool | None) -> None:
    found = parse_value(BOOLEAN, text)
    assert (found.value if found else None) is value
    if found:
        assert found.evidence == text


DANGEROUS = [
    "但是",
    "不过",
    "可是",
    "偶尔",
    "有时候",
    "可能",
    "以前",
    "想死",
    "不想活",
    "？",
    "……",
    "吧",
    "sometimes",
    "but",
    "maybe",
    "😭",
]


@given(st.sampled_from([written(cell) for cell in cells(NO)]), st.sampled_from(DANGEROUS), st.booleans())
def test_a_no_with_anything_that_weakens_it_is_no_no(plain: str, doubt: str, behind: bool) -> None:
    text = f"{plain}，{doubt}" if behind else f"{doubt}，{plain}"
    assert read_yes_no(text) is not False


@given(st.sampled_from([written(cell) for cell in cells(NO)]), st.sampled_from([written(cell) for cell in cells(YES)]))
def test_a_yes_beside_a_no_is_never_a_no_unless_it_is_a_mere_murmur(no: str, yes: str) -> None:
    if read_yes_no(f"{yes}，{no}") is False:
        murmurs = {"嗯", "恩", "uh huh", "mhm"}
        assert any(yes.startswith(each) for each in murmurs)
    assert read_yes_no(f"{no}，{yes}") is not True


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_is_read_or_not_but_never_breaks(text: str) -> None:
    assert read_yes_no(text) in (True, False, None)


@given(st.text(st.sampled_from("是有没不会想对嗯好的了吧吗，。？…但死活我没有 "), max_size=8))
def test_a_no_is_made_of_noes_only(text: str) -> None:
    """The reader never invents: whatever it takes for a no holds a negation and no question, turn or doubt."""
    if read_yes_no(text) is False:
        assert any(character in text for character in "没不")
        assert not any(character in text for character in "吧吗？…但死活")
