"""One question answered in two tabs, over HTTP: the second answer is a correction, and what is open is said again."""

from __future__ import annotations

from tests.server.material import Grounds, run, seen

SCRIPT = """
sessions:
  - session: 两个标签页
    id: tabs
    locale: zh-CN
    declare:
      - {var: 睡眠, type: text, define: 睡得怎样}
      - {var: 起居, type: text, define: 起居}
    phases:
      - phase: 一
        steps:
          - topic: 近况
            actions:
              - {type: ask, id: sleep, content: 睡得好吗？, output: [{get: 睡眠}]}
              - {type: ask, id: life, content: 起居呢？, output: [{get: 起居}]}
              - {type: ask, id: more, content: 还有吗？}
"""


def test_the_second_answer_is_a_correction_and_the_open_question_is_said_again(grounds: Grounds) -> None:
    (grounds.project / "tabs.yaml").write_text(SCRIPT, encoding="utf-8")

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun(script="tests/tabs")
            both = seen(begun)
            first = await api.turn(visit, text="睡得不好", after=both)
            assert "起居呢？" in "\n".join(each["content"] for each in first["messages"])
            grounds.clock.pass_(seconds=90)
            second = await api.turn(visit, text="其实睡得还行", after=both)
            told = "\n".join(each["content"] for each in second["messages"] if each["sender"] == "ai")
            assert "其实睡得还行" in told, "it counts now, and that is said"
            assert "起居呢？" in told, "and what waits is said again"
            assert second["position"] == first["position"]
            mine = (await api.get("/api/v1/persons/me/export", visit.person_token)).json()
            values = {each["name"]: each["value"] for each in mine["sessions"][0]["values"]}
            assert values == {"睡眠": "其实睡得还行"}

    run(work())
