"""A variable that gets another name has it everywhere, also where nobody thinks of it."""

from __future__ import annotations

from tests.authoring.material import alone

from heartrule.authoring.operations import operate

SESSION = """\
sessions:
  - session: 睡眠
    id: sleep
    summary:
      - {var: 来的原因, label: 为什么来}
      - {var: 难受前, then: 来的原因, label: 变化}
    declare:
      - {var: 来的原因, type: text, define: 为什么来}
      - {var: 难受前, type: text, define: 之前}
    phases:
      - phase: 开场
        id: opening
        steps:
          - topic: 问
            id: greet
            actions:
              - {type: ask, id: why, content: 为什么来？, output: [{get: 来的原因}]}
              - {type: ask, id: before, content: "{来的原因}以前呢？", output: [{get: 难受前}]}
"""


def test_a_renamed_variable_is_renamed_in_what_the_summary_says_too() -> None:
    workspace = alone(session=SESSION)
    operation = {"kind": "rename", "path": [0, "sessions", 0, "declare", 0], "name": "最近睡眠"}
    answer = operate(workspace, {"file": "session.yaml", "operation": operation})
    lines = SESSION.split("\n")
    for edit in reversed(answer["edit"]["changes"]["session.yaml"]):
        start, end = edit["range"]["start"], edit["range"]["end"]
        own = lines[start["line"]]
        lines[start["line"]] = own[: start["character"]] + edit["newText"] + own[end["character"] :]
    text = "\n".join(lines)
    assert "来的原因" not in text
    assert text == SESSION.replace("来的原因", "最近睡眠")
