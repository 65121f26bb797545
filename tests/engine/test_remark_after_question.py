"""A model's question with a short remark after it is a question: the script's is not put beside it."""

from heartrule.testing.talk import Talk

CALM = {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""}]}
SCRIPT = """
sessions:
  - session: 一问
    phases:
      - phase: 甲
        steps:
          - topic: 滋味
            actions:
              - type: ai_ask
                content: 那一刻的情绪
                question: 那一刻，心里是什么滋味？
                output: [{get: 情绪, define: 那一刻的情绪}]
"""


def answer(content: str) -> dict[str, object]:
    return {"EXIT": "NO", "content": content, "values": {}, "progress_suggestion": "continue_needed"}


def test_a_remark_after_the_question_does_not_double_it() -> None:
    said = "听着挺沉的。心里冒出来的是什么感觉？用一个词说就行。"
    talk = Talk(SCRIPT, {"ai_ask": answer(said), "risk": CALM})
    assert talk.say("我觉得自己又搞砸了")[0] == said


def test_a_reply_that_asks_nothing_gets_the_script_s_question() -> None:
    talk = Talk(SCRIPT, {"ai_ask": answer("听着挺沉的。"), "risk": CALM})
    assert talk.say("我觉得自己又搞砸了") == ["听着挺沉的。\n那一刻，心里是什么滋味？"]
