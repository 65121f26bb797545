"""Why an action ends, goes on or may not end yet, in the script's language, for authors: the why log and tests."""

from __future__ import annotations

from typing import Final

from heartrule.language.bilingual import Bilingual

AT_LIMIT: Final = Bilingual("达到最大轮次限制（{}）", "the rounds have run out ({})")
GOES_ON: Final = Bilingual("继续", "goes on")
CUT_SHORT: Final = Bilingual("话题计划让它提前结束（第 {} 轮）", "the topic's plan ends it early (round {})")
CRITERIA: Final = Bilingual("满足退出条件：{}", "exit criteria hold: {}")
UNDERSTANDS: Final = Bilingual("理解度{}达到{}", "understanding {} reaches {}")
UNDERSTANDS_ALL: Final = Bilingual("理解度{}达到{}且无疑问", "understanding {} reaches {} and nothing is open")
UNDERSTANDS_SAYS_SO: Final = Bilingual(
    "理解度{}达到{}且明确表达理解", "understanding {} reaches {} and they said they understood"
)
TOO_EARLY: Final = Bilingual("少于 {} 轮", "fewer than {} rounds")
DOES_NOT_HOLD: Final = Bilingual("{} 不成立", "{} does not hold")
LACKS: Final = Bilingual("缺少 {}", "{} is missing")
REPLIED: Final = Bilingual("来访者已回应", "the person has replied")
ANSWERED: Final = Bilingual("已经回答", "it was answered")
NOTHING_LEFT: Final = Bilingual("所需信息已经得到，或不再追问", "what was wanted is known, or not asked for any more")
UNWILLING: Final = Bilingual("来访者不愿回答", "the person would rather not answer")
PUT_AWAY: Final = Bilingual("表单没有提交", "the form was put away")
NOT_TOLD: Final = Bilingual("所需的没有得到", "what was wanted was not told")
NO_ANSWER: Final = Bilingual("等了一段时间没有回答", "no answer came in time")
CONFIRMED: Final = Bilingual("来访者确认了已知的内容", "the person confirmed what was known")
NOT_CONFIRMED: Final = Bilingual("已知的内容没有再确认", "what was known was not confirmed again")
TRIED: Final = Bilingual("已重试 {} 次", "tried {} more times")


def reason_text(reason: Bilingual, locale: str, *values: object) -> str:
    """``values`` fill the reason's places in their order."""
    return reason.localized(locale).format(*values)
