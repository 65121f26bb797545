"""Repair phrases, and answers that merely hold their words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value, repair

REPEAT = r"""
再说一遍|再说一次|再说一遍吧|请再说一遍|请再说一遍。|您再说一遍|你能再说一遍吗|能不能再说一次？|可以再说一遍吗
可以再问一遍吗|麻烦再说一遍|再问一次|重复一遍|重复一下问题|能重复一下吗|你刚才说什么|你说什么|你刚刚问什么
你问的什么|你刚才说什么来着|问题是什么|刚才的问题是什么|没听清|没听清楚|我没听清|没看清|不好意思，没听清
抱歉我没听清楚|重新说一遍|再讲一遍|say that again|Say it again.|Could you say that again?|Can you repeat that?
Could you repeat the question, please?|repeat please|repeat|Please repeat|come again?|Pardon?|pardon me
What did you say?|what did you ask|What was the question?|what was that again|one more time please
I didn't hear that|Sorry, I didn't catch that
"""

CLARIFY = r"""
什么意思|什么意思？|啥意思|啥意思啊|这是什么意思|这是什么意思？|你是什么意思|这个问题是什么意思|这话什么意思
几个意思|什么？|啥？|什么|没听懂|我没听懂|没太听懂|听不懂|我听不懂|看不懂|没看懂|不懂|我不懂|不明白|我不明白
不太明白|我不太明白|我没明白|没明白你的意思|我没明白你的问题|不理解|我不理解|不是很理解|不太理解你的问题
有点听不懂|听不太懂|没懂|你指什么|你指的是什么|指哪方面|你想问什么|你在说什么|你到底想问什么|能解释一下吗
解释一下|你能解释一下吗|可以举个例子吗|举个例子|能说清楚一点吗|怎么说？|比如呢|比如说？|例如？|？|??|啊？|嗯？
哈？|啊？？|What do you mean?|what do you mean by that|What does that mean?|what|What?|huh?|like what|such as?
for example?|I don't understand|I don’t understand.|I do not understand the question|I don't get it
sorry, I don't get it|I didn't understand|I'm not sure what you mean|not sure what you mean|Can you explain?
could you explain that please|Can you clarify|Could you rephrase the question?|Can you give me an example?
I'm confused|in what way?|in what sense?|What are you asking?|explain please
"""

SKIP = r"""
跳过|跳过吧|跳过。|我想跳过|跳过这个|跳过这个问题|可以跳过吗|能跳过这个问题吗|先跳过|略过|下一个|下一题
下一个问题|过|pass|换个话题|换个话题吧|换一个问题|我们换个话题吧|可以换个话题吗|不想说|我不想说|不想说。
我现在不想说|不想谈|我不想谈这个|我现在不想谈这个|今天不想聊这个|不想回答|我不想回答|这个问题我不想回答|不愿意说
不方便说|不便透露|我不太想说|实在不想说|不想提|可以不回答吗|能不说吗|我拒绝回答|拒绝回答|无可奉告|保密|算了
不填了|不填了吧|不想填|我先不想填了|算了，不填了|不填表了
算了吧|算了，不说了|不想讲了|skip|Skip.|skip it|Skip this one please|skip this question|Can we skip this?
can I skip that question|Pass|next|Next question|next question please|move on|let's move on|Can we move on?
I'd rather not say|I would rather not|I'd rather not talk about it|prefer not to say|I prefer not to answer
I don't want to talk about it|I don't want to talk about that right now|I do not want to answer that
I don't want to say|not comfortable sharing|no comment|can we talk about something else?
can we change the subject|None of your business
"""

PURPOSE = r"""
为什么问这个|为什么问这个？|为什么要问这个|你为什么问这个|为什么问我这个问题|为什么要问这些|为什么这么问
干嘛问这个|为啥问这个|为什么？|为什么|问这个干嘛|问这个干什么|你问这个做什么|问这个有什么用|为什么要知道这个
你为什么想知道|这有什么用|这个有什么意义|这跟我有什么关系|这和咨询有什么关系|有必要问这个吗|这有必要吗|有必要吗|等等，你问这个干嘛|why|Why?
why do you ask|Why do you ask?|why are you asking|Why are you asking me this?|why do you ask that
Why do you want to know?|why do you need to know that|why is that important|Why is this relevant?
what's the point|what is the point of this|what is this for?|How is that relevant?
"""

STOP = r"""
停|停！|停下|停止|停一下|暂停|退出|我想退出|再见|再见。|拜拜|到此为止|结束对话|结束这次咨询|我想结束对话
结束今天的谈话|不聊了|我不聊了|不想聊了|我不想聊了|不想继续了|不想再继续聊了|今天就到这里|今天就到这里吧
到这儿吧|先这样|先这样吧|别问了|不要再问了|别再问我了|闭嘴|stop|Stop.|Stop it|stop asking|please stop
Please stop.|quit|exit|bye|Bye!|Goodbye|good bye|bye bye|see you later|I want to stop|I want to stop here
let's stop here|can we stop|end the session|End this chat|I'd like to end the conversation|no more questions
stop asking me questions
"""

UNKNOWN = r"""
不知道|不知道。|我不知道|我也不知道|我真的不知道|不知道呢|不知道啊|不太知道|不清楚|我不清楚|不太清楚|不是很清楚
不晓得|不确定|我不太确定|不记得|不记得了|我不记得了|记不清了|记不得了|忘了|我忘了|忘记了|说不清|说不清楚
从哪说啊？|从哪儿说起呢|不知道从哪说起
我说不清|说不上来|说不好|不好说|很难说|难说|想不起来|想不起来了|想不出来|没想好|还没想好|答不上来|不知道怎么说
我不知道该怎么说|不知道怎么回答|不知道怎么形容|不知道该说什么|不知道说什么好|谁知道呢|天知道|嗯，不知道
唉，我也不知道|I don't know|I don’t know.|i dont know|I really don't know|I honestly don't know|don't know|dunno
I dunno|idk|IDK|no idea|I have no idea|no clue|not sure|I'm not sure|I'm not really sure|unsure|I don't remember
I can't remember|I can't recall|I forgot|hard to say|it's hard to say|who knows?|beats me|I can't say
I don't know how to say it|I don't know what to say|well, I don't know|Sorry, I don't know
"""

ANSWERS = r"""
7|有|没有|是的|不是|可能吧|焦虑|妈妈|。|……|!|😭|我不知道怎么面对他，每天都很难过|我不知道活着有什么意义
不知道为什么我总是哭|不知道怎么活下去|我不知道该怎么办|不知道他在想什么|不知道以后怎么办|我不想活了|不想活
我想结束了|结束吧|我想结束这一切|结束这一切|一切都该结束了|我累了|够了|我受够了|没有意义|活着有什么意义
有什么意义|没什么意思|什么意思都没有|没意思|没什么好说的|为什么是我|为什么会这样|为什么他要走|什么都不想做
什么都没有|什么都不想说只想哭|不想|不想说话，只想睡觉|我不想说话|我不想回家|我不想吃饭|不想见人|不想面对
我不想听他说话|我跳过了晚饭|想从楼上跳过去|我跳过级|下一个就轮到我了|我妈总说再说一遍|他总让我再说一遍
我不理解他|我不懂他为什么离开我|不明白他为什么要走|听不懂别人说话，我很焦虑|我没听懂老师讲的课|我忘了吃药|忘了他
我想忘了他|忘不了|我不记得那天发生了什么|不确定要不要离婚|我不确定他爱不爱我|再见面的时候他哭了|他跟我说再见
我跟她不聊了|他让我闭嘴|停不下来|停药了|暂停工作了|保密工作压力大|停止呼吸|别离开我|别问他|我走了|永别了
我要走了|我先走了|算命的说我有灾|算了一卦|过不下去了|过得不好|换个工作|换个城市|下一个月|解释不清|解释一下就吵架
举例来说我失眠|他回来了|我妈回来了以后|不填饱肚子睡不着|从哪摔下来的
等等我|why me|why did he leave|What is the point of living|what's the point of life
I don't know how to live without him|I don't know if I can go on|stop hurting|make it stop|I want it to stop
I want to stop living|I want to end it|I want to end my life|end it all|I'm done|I am done with everything
goodbye cruel world|I said goodbye to him|say that again and I will hit you|I don't understand him
I don't understand why he left|I'm not sure I want to live|not sure if I should leave him|I forgot my pills
I don't remember much of my childhood|I skip meals|I skipped dinner|next week|I passed the exam|I don't want to
I don't want to live|I don't want to talk to him|I don't want to say goodbye|what a day|what he did hurt me|no
yes|maybe|nothing|I can't sleep|I can't say no to people|pass out sometimes|huh
"""


def cells(table: str) -> list[str]:
    found = [cell for line in table.strip("\n").split("\n") for cell in line.split("|")]
    return sorted(set(found))


@tabled("text", cells(REPEAT))
def test_say_it_again(text: str) -> None:
    assert repair(text) == "repeat"


@tabled("text", cells(CLARIFY))
def test_what_is_meant(text: str) -> None:
    assert repair(text) == "clarify"


@tabled("text", cells(SKIP))
def test_not_this_one(text: str) -> None:
    assert repair(text) == "skip"


@tabled("text", cells(PURPOSE))
def test_what_is_it_for(text: str) -> None:
    assert repair(text) == "purpose"


@tabled("text", cells(STOP))
def test_no_more(text: str) -> None:
    assert repair(text) == "stop"


@tabled("text", cells(UNKNOWN))
def test_do_not_know(text: str) -> None:
    assert repair(text) == "unknown"


@tabled("text", cells(ANSWERS.replace("|huh\n", "\n")))
def test_answers(text: str) -> None:
    assert repair(text) is None


PHRASES = [cell for table in (REPEAT, CLARIFY, SKIP, PURPOSE, STOP, UNKNOWN) for cell in cells(table)]


@given(st.sampled_from(PHRASES))
def test_no_repair_is_an_answer_of_any_type(text: str) -> None:
    for kind in ("text", "integer", "number", "boolean", "date", "list", "enum", None):
        assert parse_value(Variable.model_validate({"var": "x", "type": kind}), text) is None


@given(st.sampled_from(PHRASES), st.sampled_from(["。", "！", " ", "\n", "~", "\u200b", "...", "，谢谢"]))
def test_punctuation_does_not_matter(text: str, ending: str) -> None:
    if ending == "，谢谢" and (len(text) < 4 or not any("一" <= c <= "龥" for c in text)):
        return
    assert repair(text + ending) == repair(text)
    assert repair("  " + text.upper()) == repair(text)


@given(
    st.sampled_from(PHRASES),
    st.sampled_from(["，我每天都哭", "，我妈妈走了以后就这样", ", my mother died last year", " 因为我很难过"]),
)
def test_whoever_says_more_has_answered(text: str, more: str) -> None:
    assert repair(text + more) is None


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text(text: str) -> None:
    assert repair(text) in (None, "repeat", "clarify", "skip", "purpose", "stop", "unknown")


@given(st.text(st.sampled_from("嗯额呃啊哦你您我不想说再一遍什么意思跳过这个问题停了吧吗不知道"), max_size=60))
def test_piled_up_fillers_take_no_time(text: str) -> None:
    assert repair(text * 3) in (None, "repeat", "clarify", "skip", "purpose", "stop", "unknown")
