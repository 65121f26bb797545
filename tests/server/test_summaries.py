"""Pages to keep: over HTTP, with the tokens that open them."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Json, Visit, problem, run, seen

from heartrule.reporting import page, paper
from heartrule.server.app import API

MINE = f"{API}/persons/me/summary"
SCRIPT = """
sessions:
  - session: 一周小结
    id: week
    goal: 看看这一周
    locale: zh-CN
    declare: [{var: 今天, type: text, define: 今天, label: {zh-CN: 今天想说的, en: Today}}]
    summary: [{var: 今天}]
    phases:
      - phase: 谈
        id: talk
        milestone: 说了近况
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: today, content: 今天怎样？, output: [{get: 今天}]}
              - {type: show_form, id: mood, form: mood}
              - {type: show_form, id: notes, form: notes}
              - {type: show_form, id: told, form: told, mode: view, values: {topic: "{今天}", plan: "散步\\n早睡"}}
      - phase: 练
        id: calm
        steps:
          - topic: 慢慢呼吸
            id: breathe
            actions:
              - type: ai_guide
                id: guide
                exercise: 四拍呼吸
                exercise_steps: [{say: 吸, wait: done}, {say: 呼, wait: done}]
              - {type: ask, id: more, content: 还有吗？, output: [{get: 余下}]}
forms:
  - form: 心情
    id: mood
    source: 自编
    fields:
      - {id: now, label: 现在心情几分, type: integer, required: true}
      - {id: why, label: 想到什么, type: longtext}
    scores: [{id: total, sum: [now], bands: [{from: 0, to: 4, label: 低}, {from: 5, to: 10, label: 高}]}]
  - form: 咨询师记录
    id: notes
    audience: counselor
    fields: [{id: seen, label: 看到的, type: text}]
  - form: 报告
    id: told
    audience: report
    description: 不是诊断。
    fields: [{id: topic, label: 今天谈的, type: longtext}, {id: plan, label: 约好的事, type: longtext}]
"""
TOLD = (
    *("一周小结", "你自己的话 今天想说的", "心情", "高", "自编", "下雨了 没有出门"),
    *("四拍呼吸 (做完了)", "今天谈的", "散步 早睡", "不是诊断", "12356"),
)
MARKUP = "<script>alert(1)</script> & “下雨”"


@pytest.fixture
def place(grounds: Grounds) -> Grounds:
    (grounds.project / "week.yaml").write_text(SCRIPT, encoding="utf-8")
    return grounds


async def filled(asked: Asked, visit: Visit, turn: Json, values: Json) -> Json:
    form = turn["request"]["form"]
    given = {"type": "form_submit", "form": {"key": form["key"], "values": values}}
    body = {"key": f"handed-in-{form['key']}", "after": seen(turn), "input": given}
    answer = await asked.post(f"{visit.path}/turns", body, visit.token)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def held(asked: Asked, token: str | None = None, mood: int = 6) -> tuple[Visit, str]:
    """A session up to its last question; the person's token."""
    visit = await asked.visit("tests/week", token=token)
    turn = await asked.turn(visit, type="start")
    turn = await asked.turn(visit, text=MARKUP, after=seen(turn))
    turn = await filled(asked, visit, turn, {"now": mood, "why": "下雨了\n没有出门"})
    if turn["request"]["type"] == "form":
        turn = await filled(asked, visit, turn, {})
    turn = await asked.turn(visit, type="choice", choice="done", after=seen(turn))
    await asked.turn(visit, type="choice", choice="done", after=seen(turn))
    return visit, token or visit.person_token or ""


def words(html: str) -> str:
    """What is read on it, run together."""
    body = html.partition("<body>")[2]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def test_a_session_is_summed_up_from_its_record(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            answer = await asked.get(f"{visit.path}/summary?zone=Asia/Shanghai", visit.token)
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["content-security-policy"] == f"{page.policy()}; frame-ancestors 'none'"
            assert (answer.headers["cache-control"], answer.headers["content-language"]) == ("no-store", "zh-CN")
            read = words(answer.text)
            for each in TOLD:
                assert each in read, each
            assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “下雨”" in answer.text
            assert "<script" not in answer.text
            assert "咨询师记录" not in read
            assert not any(each in read for each in ("看看这一周", "说了近况", "近况", "慢慢呼吸")), (
                "no names of the script"
            )
            assert (await asked.get(f"{visit.path}/summary", token)).status_code == 200

    run(work())


def test_all_sessions_are_summed_up_with_how_scores_went(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            _, token = await held(asked, mood=3)
            place.clock.pass_(days=7)
            await held(asked, token, mood=8)
            answer = await asked.get(f"{MINE}?locale=en", token)
            assert answer.headers["content-language"] == "en"
            read = words(answer.text)
            assert "How the scores went" in read
            assert (
                'aria-label="心情: filled in 2 times, from 3 to 8, lowest 3, highest 8; every number is in'
                in answer.text
            )
            assert answer.text.count("<circle") == 2
            assert '<span lang="zh-CN">一周小结</span>' in answer.text
            assert "下雨了" not in read
            only = await asked.get((await held(asked))[0].path + "/summary", token)
            problem(only, "not-found", 404)

    run(work())


def test_nobody_elses_token_opens_it_and_after_erasure_nobody_s(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            other, theirs = await held(asked)
            for path in (MINE, f"{visit.path}/summary"):
                problem(await asked.get(path), "unauthorized", 401)
            problem(await asked.get(MINE, visit.token), "unauthorized", 401)
            problem(await asked.get(f"{visit.path}/summary", theirs), "not-found", 404)
            problem(await asked.get(f"{visit.path}/summary", other.token), "not-found", 404)
            await asked.client.delete(f"{API}/persons/me", headers={"Authorization": f"Bearer {token}"})
            problem(await asked.get(f"{visit.path}/summary", visit.token), "not-found", 404)
            problem(await asked.get(MINE, token), "not-found", 404)

    run(work())


def test_a_zone_that_nobody_knows_is_told_as_everybody_s(place: Grounds) -> None:
    async def work() -> None:
        async with place.asgi() as asked:
            visit, _ = await held(asked)
            plain = await asked.get(f"{visit.path}/summary", visit.token)
            for zone in ("No/Where", "../../etc/passwd", "Asia"):
                answer = await asked.get(f"{visit.path}/summary", visit.token, params={"zone": zone})
                assert answer.status_code in (200, 422), zone
                if answer.status_code == 200:
                    assert words(answer.text) == words(plain.text)

    run(work())


@pytest.mark.parametrize(
    ("raised", "code"), [(paper.NoPdf("pip install 'heartrule[pdf]'"), "no-pdf"), (paper.NoFont(), "no-font")]
)
def test_where_no_pdf_can_be_made_that_is_said(
    place: Grounds, monkeypatch: pytest.MonkeyPatch, raised: Exception, code: str
) -> None:
    def pdf(html: str) -> bytes:
        raise raised

    monkeypatch.setattr(paper, "pdf", pdf)

    async def work() -> None:
        async with place.asgi() as asked:
            visit, _ = await held(asked)
            answer = await asked.get(f"{visit.path}/summary?format=pdf", visit.token)
            told: dict[str, Any] = problem(answer, code, 501)
            assert ("heartrule[pdf]" in told["title"]) == (code == "no-pdf")

    run(work())


def test_as_a_pdf_it_holds_the_same_words(place: Grounds) -> None:
    pytest.importorskip("weasyprint")
    pypdf = pytest.importorskip("pypdf")

    async def work() -> None:
        async with place.asgi() as asked:
            visit, token = await held(asked)
            for path in (f"{visit.path}/summary", MINE):
                answer = await asked.get(f"{path}?format=pdf", token)
                assert answer.headers["content-type"] == "application/pdf"
                assert answer.headers["content-disposition"].endswith(".pdf")
                read = pypdf.PdfReader(io.BytesIO(answer.content))
                assert "一周小结" in "".join("".join(each.extract_text() for each in read.pages).split())

    run(work())
