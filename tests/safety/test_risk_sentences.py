"""Rules and classifier as shipped, on sentences of our own: every one must get the level it is filed under."""

from __future__ import annotations

from collections import Counter

from tests.safety.shipped import heard, matcher, sentences
from tests.table import tabled

SENTENCES = sentences()
OWN = ("own wish or intent", "plan, means or preparation", "attempt or overdose")
NOW = "under way or at hand"
FIRST = "the thing said first"
MENTIONED = ("talk about suicide", "told of somebody else at some length", "self-harm", "passive or unclear")
"""Kinds of which the classifier decides: what is only mentioned, or told of somebody else."""


@tabled(("kind", "level", "text"), SENTENCES)
def test_level(kind: str, level: str, text: str) -> None:
    found = heard(text)
    allowed = {"explicit", "watch"} if level == "raised" else {level}
    if level == "watch" and kind in MENTIONED:
        assert matcher().match(text).level == "watch", "asked about where no classifier reads along"
        allowed |= {"none"}
    if level == "none" and kind in (NOW, FIRST):  # pills, gas, knives: to be asked once is no harm
        allowed |= {"watch"}
    assert found in allowed, f"{kind}: {text!r} is {found}"


@tabled("text", [text for _, level, text in SENTENCES if level == "explicit"])
def test_rules_alone_hear_what_is_explicit(text: str) -> None:
    assert matcher().match(text).level == "explicit"


@tabled("text", [text for _, _, text in SENTENCES])
def test_evidence_is_verbatim(text: str) -> None:
    risk = matcher().match(text)
    assert text[risk.start : risk.end] == risk.evidence
    assert bool(risk.evidence) == bool(risk.reason) == (risk.level is not None)


@tabled("text", [text for kind, level, text in SENTENCES if kind in OWN or (kind, level) == (NOW, "explicit")])
@tabled(
    "around",
    ["今天天气不错。{}", "{}\n算了没事", "嗯嗯\n{}", "笑死，{}", "我不会自杀。{}", "我没有自残，但是{}", "hi. {} ok"],
)
def test_what_stands_beside_does_not_hide_it(text: str, around: str) -> None:
    assert matcher().match(around.format(text)).level == "explicit"


@tabled(
    "text",
    [
        "#killmyself",
        "#iwanttodie",
        "#suicidal",
        "so tired #suicidal",
        "#suicide",
        "#自杀",
        "I-want-to-kill-myself",
        "i_want_to_die",
        "IWantToKillMyself",
        "**I** want to **kill** myself",
        "k1ll mys3lf",
        "su1c1de",
        "kill🔪myself",
        "ki!! myself",
        "#endmylife",
    ],
)
def test_spellings_of_the_net_are_heard_and_quoted_as_written(text: str) -> None:
    found = matcher().match(f"ok\n{text}" if text[0] not in "#s" else text)
    assert found.level == "explicit"
    assert found.evidence in text


@tabled(
    "text",
    [
        "I_dont_want_to_die",
        "#suicideprevention",
        "do-or-die match",
        "end-of-life care for my gran",
        "the kill_all command",
        "die-hard fan",
        "#killit at the gym",
        "I want to *kill* it at work",
        "MySelfHelp",
        "b2b and 4ever",
    ],
)
def test_and_harmless_ones_are_not(text: str) -> None:
    assert matcher().match(text).level != "explicit"


@tabled("text", [text for kind, _, text in SENTENCES if kind in OWN and not text.isascii()])
def test_letter_by_letter(text: str) -> None:
    """Blanks, zero-width characters and full width change nothing; nor do line breaks between two halves."""
    for disguised in (" ".join(text), "\u200b".join(text), "\u3000".join(text), text + "！！！", "“" + text + "”"):
        assert matcher().match(disguised).level == "explicit", disguised


@tabled(
    "text",
    [
        "我不想活了",
        "我 不 想 活 了",
        "我不想活了！",
        "我真的不想再活了",
        "不想活着",
        "不 想 活…",
        "我不想活",
        "我，不想活了",
        "我 真 的 不 想 活 了",
        "我不想...活了",
        "我不想、活了",
        "我\n不想活了",
        "我不\n想活了",
        "我不想\n活\n了",
        "不想活了我",
        "我不想活了。",
        "我不想活了……",
        "我不想活了😭",
        "我不想😭活了",
        "我不想活了ok",
        "ok我不想活了",
        "其实我不想活了，真的",
        "我也不想活了",
        "我都不想活了",
        "我不太想活了",
        "我不想继续活了",
        "我不想再活下去了",
        "我不是想死，我只是不想活了",
        "我不想活了" * 50,
        "　我不想活了　",
        "我‌不想‍活了",
        "ｗ我不想活了",
        "我不想活了\x00",
        "\ud800我不想活了",
        "\u202e我不想活了",
        "我不想活著",
        "我不想活了" + "哈" * 500,
    ],
)
def test_not_wanting_to_live_is_explicit_however_it_is_written(text: str) -> None:
    assert matcher().match(text).level == "explicit"


def test_the_table_is_broad() -> None:
    """Both languages, all levels, and as many harmless sentences as it takes to see a false alarm."""
    levels = Counter(level for _, level, _ in SENTENCES)
    assert levels["explicit"] >= 150
    assert levels["none"] >= 120
    assert levels["watch"] >= 30
    assert sum(text.isascii() for _, _, text in SENTENCES) >= 120
    assert len({text for _, _, text in SENTENCES}) == len(SENTENCES)
