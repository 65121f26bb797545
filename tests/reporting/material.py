"""Reports as they may come."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from heartrule.language.compiling.script import Contact
from heartrule.reporting.report import (
    Answer,
    Course,
    Exercise,
    FilledForm,
    HeldSession,
    Point,
    Range,
    Report,
    Score,
    ShownForm,
)

BEGAN = datetime(2026, 3, 1, 17, 30, tzinfo=UTC)
MADE = datetime(2026, 3, 8, 9, 5, tzinfo=UTC)
SHANGHAI = ZoneInfo("Asia/Shanghai")
BANDS = (Range("低", 0, 4), Range("高", 5, 10, here=True))
CONTACTS = (Contact("急救", "120", "24 小时"), Contact("热线", "12356"))
FORM = FilledForm(
    name="心情",
    at=BEGAN,
    source="某篇论文",
    scores=(Score("", 6, "高", (0, 10), BANDS),),
    answers=(Answer("几分", "6", own=False), Answer("想到什么", "下雨了\n没有出门", own=True)),
)
HELD = HeldSession(
    name="一周小结",
    locale="zh-CN",
    began=BEGAN,
    ended=BEGAN + timedelta(minutes=40),
    noted=(ShownForm("报告", "不是诊断。", (("今天谈的", "近况"), ("", "散步\n早睡"))),),
    filled=(FORM,),
    exercises=(Exercise("四拍呼吸", whole=True), Exercise("着陆", whole=False)),
    mine=(("那一刻的想法", "我不行"),),
)
ONE = Report("zh-CN", SHANGHAI, MADE, one=True, held=(HELD,), courses=(), contacts=CONTACTS)


def course(*values: float, days: int = 7) -> Course:
    points = tuple(Point(BEGAN + timedelta(days=days * at), value, "") for at, value in enumerate(values))
    return Course("心情", points, BANDS)


def all_of(*courses: Course, locale: str = "zh-CN") -> Report:
    return replace(ONE, locale=locale, one=False, courses=courses)
