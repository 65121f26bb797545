"""Labels and numbers as what the person says of themself now."""

from __future__ import annotations

from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import match_choice, parse_value
from heartrule.parsing.attribution import is_over, of_another, of_another_time, turned, wished

Offered = list[tuple[str, str]] | tuple[str, str, list[str]]
GO_ON: Offered = [("接着", "接着谈"), ("停", "今天到这里")]
DO_ONE: Offered = [("做", "好，做一个"), ("不做", "今天不做了")]
GO_ON_EN: Offered = [("go", "Let's go on"), ("stop", "Stop for today")]
LOOK: Offered = [("看", "一起看一看"), ("不看", "先不看")]
FEELING: Offered = ("最近主要是哪种情绪？", "主要情绪", ["焦虑", "抑郁", "平静", "生气"])
FEELING_EN: Offered = ("Which feeling is it mostly?", "main feeling", ["anxious", "sad", "calm", "angry"])
BEGIN: Offered = ("想从哪里开始？", "想先谈的", ["睡眠", "工作", "家里"])
MARITAL: Offered = ("你的婚姻状况？", "婚姻状况", ["未婚", "已婚", "离异", "丧偶"])
PAIN: Offered = ("疼在哪里？", "疼的部位", ["头", "胃", "腰", "背部"])
SLEEP: Offered = ("今天睡得怎么样？", "睡眠", ["睡得还可以", "睡不好", "睡得太多"])
WEEK: Offered = ("最近这一周心情怎么样？", "这一周的心情", ["低落", "烦躁", "还可以", "很好"])
BEGIN_EN: Offered = ("Where would you like to start?", "what to talk about first", ["sleep", "work", "family"])
WILLING: Offered = ("愿意试试吗？", "是否愿意做练习", ["愿意", "不愿意", "再想想"])
OFTEN: Offered = ("How often does it happen?", "how often", ["never", "sometimes", "every day"])
FURTHER: Offered = [("gg", "继续往下走"), ("bk", "回头看看刚才那句")]
SUPPORT: Offered = ("谁最支持你？", "最支持来访者的人", ["妈妈", "爸爸", "朋友", "没有人"])


def picked(offered: Offered, text: str) -> object:
    """Of choices their value, of a question's options the option."""
    if isinstance(offered, list):
        return match_choice(text, offered)
    question, define, options = offered
    rules = Variable.model_validate({"var": "x", "type": "enum", "options": options, "define": define})
    found = parse_value(rules, text, question=question)
    return None if found is None else found.value


@tabled(
    ("offered", "said"),
    [
        (
            GO_ON,
            {
                "接着": (
                    "接着谈吧;那就接着谈;我想接着谈;接着谈，还有话没说完;好，接着谈;我要接着谈;接着谈一会儿;"
                    "再接着谈一会吧;还是接着谈吧;接着谈这个;接着谈好了;我愿意接着谈;可以接着谈"
                )
            },
        ),
        (
            GO_ON,
            {
                "停": (
                    "今天到这里;今天到这里吧;那今天到这里吧;今天到这里，我累了;今天到这里就好;我想今天到这里;"
                    "就今天到这里;今天到这里可以了;我觉得今天到这里就行;今天到这里了"
                )
            },
        ),
        (DO_ONE, {"不做": ("今天不做了吧;我今天不做了;今天不做了，太累;今天不做了谢谢")}),
        (GO_ON_EN, {"go": ("let's go on please;ok let's go on;yes let's go on with it")}),
        (GO_ON_EN, {"stop": ("stop for today please;I want to stop for today;I'd like to stop for today")}),
        (LOOK, {"看": ("那一起看一看吧;一起看一看也行")}),
        (LOOK, {"不看": ("先不看吧;我想先不看")}),
        (
            FEELING,
            {
                "焦虑": (
                    "很焦虑;主要是焦虑;最近一直焦虑;焦虑吧;焦虑，老担心孩子;因为我妈焦虑;焦虑得不行;焦虑得睡不着;"
                    "焦虑死了;想到考试就焦虑;一想到工作就焦虑;担心他，所以焦虑;不生气，就是焦虑;最近有些焦虑;"
                    "昨晚没睡，今天很焦虑;焦虑为主;还是焦虑"
                )
            },
        ),
        (FEELING, {"平静": ("挺平静的;我现在比较平静;算是平静吧;平静多了")}),
        (FEELING, {"生气": ("跟老公吵架之后很生气;对老板生气;生气，气我老公;特别生气;他一说话我就生气")}),
        (FEELING, {"抑郁": ("我抑郁了;应该是抑郁;有点抑郁吧;我妈走了以后我一直抑郁")}),
        (FEELING_EN, {"anxious": ("I'm anxious;I feel anxious a lot;anxious all the time")}),
        (FEELING_EN, {"sad": ("mostly sad;sad because of my mom;she left and I'm sad;I have been sad")}),
        (FEELING_EN, {"calm": ("pretty calm;calm I guess")}),
        (FEELING_EN, {"angry": ("angry at my boss;my boss makes me angry;quite angry actually")}),
        (BEGIN, {"睡眠": ("睡眠吧;我想谈睡眠;从睡眠开始吧;想聊睡眠")}),
        (BEGIN, {"工作": ("想先说工作;工作的事")}),
        (BEGIN, {"家里": ("想从家里开始")}),
        (MARITAL, {"已婚": ("我已婚")}),
        (MARITAL, {"离异": ("离异了;去年离异的")}),
        (MARITAL, {"未婚": ("还未婚呢")}),
        (PAIN, {"背部": ("背部疼;主要背部;背部，还有点酸")}),
        (SLEEP, {"睡得还可以": ("睡得还可以")}),
        (SLEEP, {"睡不好": ("睡不好;最近睡不好;总是睡不好")}),
        (
            WEEK,
            {
                "低落": (
                    "低落;挺低落的;这几天都很低落;低落得很;一直低落;我妈住院了，我很低落;被老板骂了，低落;"
                    "心情低落;感觉很低落"
                )
            },
        ),
        (WEEK, {"烦躁": ("烦躁，孩子吵;有点烦躁;就是烦躁;最近特别烦躁")}),
        (WEEK, {"还可以": ("还可以吧;老公出差，我反而还可以")}),
        (BEGIN_EN, {"sleep": ("sleep please;I'd like to start with sleep")}),
        (BEGIN_EN, {"work": ("my work;work I guess;I want to talk about work")}),
        (BEGIN_EN, {"family": ("maybe family;family first")}),
        (WILLING, {"愿意": ("愿意")}),
        (WILLING, {"再想想": ("再想想吧;让我再想想")}),
        (OFTEN, {"sometimes": ("sometimes I think;only sometimes")}),
        (OFTEN, {"every day": ("every day lately;it happens every day;almost every day")}),
        (FURTHER, {"gg": ("继续往下走吧;那继续往下走;想继续往下走")}),
        (FURTHER, {"bk": ("回头看看刚才那句吧;我想回头看看刚才那句")}),
        (SUPPORT, {"妈妈": ("妈妈;我妈妈;还是妈妈吧")}),
        (SUPPORT, {"爸爸": ("我的爸爸")}),
        (SUPPORT, {"朋友": ("朋友们")}),
    ],
)
def test_a_label_that_stands_is_picked(offered: Offered, said: dict[str, str]) -> None:
    wrong = [
        (text, value) for value, texts in said.items() for text in texts.split(";") if picked(offered, text) != value
    ]
    assert wrong == []


@tabled(
    ("offered", "texts"),
    [
        (
            GO_ON,
            (
                "今天到这里还早吧;接着谈是什么意思;接着谈个屁;接着谈个鬼;我妈说接着谈;我老公让我接着谈;"
                "他说今天到这里;什么叫接着谈;为什么要接着谈;谁要接着谈;接着谈有什么意思;接着谈没什么用;"
                "接着谈也没用;接着谈什么;接着谈才怪;怎么接着谈;今天到这里太早了;今天到这里是不是太早了;"
                "接着谈不下去了;接着谈不了;凭什么今天到这里;医生建议接着谈;今天到这里是啥意思;不想接着谈;"
                "先别接着谈;接着谈？;接着谈吗;别今天到这里"
            ),
        ),
        (
            GO_ON_EN,
            (
                "what does let's go on mean;my mom says let's go on;why stop for today;"
                "who says stop for today;stop for today is too early;don't stop for today;"
                "he wants me to stop for today"
            ),
        ),
        (LOOK, ("一起看一看是什么意思;一起看一看有什么用;他让我一起看一看")),
        (
            FEELING,
            (
                "平静不下来;哪有平静;想平静;我妈焦虑;以前焦虑;不焦虑;我老公很生气;我妈总是焦虑;我爸最近抑郁;"
                "他很生气;她老是生气;我好想平静;希望能平静;真希望平静;哪里平静;怎么平静;怎么能平静;如何平静;"
                "平静得了吗;平静不了;静不下来;平静个屁;平静才怪;焦虑是什么;什么是焦虑;什么叫抑郁;谁焦虑;"
                "小时候抑郁;同事都说我焦虑;我朋友抑郁;别人都平静;人家平静;巴不得平静;要是平静就好了;"
                "焦虑什么呀;抑郁有什么;平静不起来;我老婆说我抑郁;渴望平静"
            ),
        ),
        (
            FEELING_EN,
            (
                "my mom is anxious;my husband says I'm angry;I wish I was calm;I want to be calm;"
                "I'd like to feel calm;can't be calm;not calm;how can I be calm;calm my ass;what is anxious;"
                "who is calm;he is angry;she's sad;everyone is calm;I used to be anxious;calm? no;never calm;"
                "trying to be calm;calm would be nice;hope to get calm;my kids are angry"
            ),
        ),
        (MARITAL, ("我姐离异;我朋友离异;我爸妈离异;没有离异;以前未婚;我儿子未婚")),
        (SLEEP, ("我老公睡不好;我妈睡得太多;哪能睡不好")),
        (
            WEEK,
            (
                "我妈低落;老公很烦躁;低落什么;哪里低落;我儿子烦躁;他说我烦躁;以前低落;低落不起来;怎么才能很好;"
                "希望很好;谁低落;不低落;低落个头;同事都低落;她低落;低落有什么用;我室友总是烦躁;没有烦躁;"
                "小时候低落;只想很好"
            ),
        ),
        (BEGIN_EN, ("what is sleep;my husband wants work;who cares about work anyway, family is a mess")),
        (WILLING, ("他愿意;我老公愿意;谁愿意;愿意才怪;凭什么愿意;愿意个屁;愿意是什么意思;不太愿意;没说愿意;愿意什么")),
        (OFTEN, ("my son sometimes;not every day;why every day;my mom says every day")),
        (
            FURTHER,
            (
                "继续往下走有什么意义;怎么继续往下走;继续往下走不了;谁要继续往下走;老师让我继续往下走;"
                "继续往下走还太快;他说继续往下走;继续往下走是啥意思;继续往下走？"
            ),
        ),
    ],
)
def test_a_label_picks_nothing_that_is_turned_asked_about_wished_for_or_somebody_elses(
    offered: Offered, texts: str
) -> None:
    assert [text for text in texts.split(";") if picked(offered, text) is not None] == []


@tabled(
    ("before", "about", "another"),
    [
        ("我妈", "", True),
        ("我妈总是很", "", True),
        ("我老公说我", "", True),
        ("医生建议", "", True),
        ("别人都", "", True),
        ("我朋友", "你朋友现在怎么样？", False),
        ("我妈", "你妈妈怎么样？", False),
        ("因为我妈", "", False),
        ("跟老公吵架之后很", "", False),
        ("我说", "", False),
        ("我", "", False),
        ("", "", False),
        ("my husband says i'm ", "", True),
        ("she is ", "", True),
        ("my son is ", "how old is your son?", False),
        ("because of my mom ", "", False),
        ("i am ", "", False),
    ],
)
def test_somebody_else(before: str, about: str, another: bool) -> None:
    assert of_another(before, about) is another


@tabled(
    ("before", "about", "then", "over"),
    [
        ("以前", "心情几分？", True, True),
        ("以前", "以前是什么样？", False, False),
        ("昨天", "心情几分？", True, False),
        ("昨天", "昨天心情几分？", False, False),
        ("上周", "最近哪种情绪多？", False, False),
        ("现在", "心情几分？", False, False),
        ("i used to be ", "how are you?", True, True),
        ("last time ", "how is it, 0 to 10?", True, False),
        ("last night ", "how many hours did you sleep?", False, False),
    ],
)
def test_another_time(before: str, about: str, then: bool, over: bool) -> None:
    assert (of_another_time(before, about), is_over(before, about)) == (then, over)


@tabled(
    ("before", "about", "wish"),
    [
        ("想", "最近主要是哪种情绪？", True),
        ("真希望能", "主要情绪", True),
        ("我想", "想从哪里开始？", False),
        ("想", "", False),
        ("一想到工作就", "哪种情绪？", False),
        ("i want to be ", "which feeling is it?", True),
        ("i want to be ", "what would you like to be?", False),
    ],
)
def test_a_wish(before: str, about: str, wish: bool) -> None:
    assert wished(before, about) is wish


@tabled(
    ("before", "behind", "against"),
    [
        ("", "个屁", True),
        ("", "是什么意思", True),
        ("", "不下来", True),
        ("", "还早吧", True),
        ("", "才怪", True),
        ("哪有", "", True),
        ("什么叫", "", True),
        ("", " what a joke", True),
        ("what is ", "", True),
        ("", "什么的", False),
        ("", "得睡不着", False),
        ("", "吧", False),
        ("那就", "，我累了", False),
        ("i feel ", " all the time", False),
    ],
)
def test_words_that_turn_it(before: str, behind: str, against: bool) -> None:
    assert turned(before, behind) is against
