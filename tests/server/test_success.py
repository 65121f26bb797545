"""How sessions go, as the operator sees it: completion, satisfaction and recoveries (seed 000 §17.1, §17.2)."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.command import Command
from tests.server.material import SCRIPT, Grounds, run
from tests.sessions.material import ANSWERS

FEEDBACK = """
sessions:
  - session: 说说
    id: said
    locale: zh-CN
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 甲
            id: a
            actions: [{type: show_form, id: said, form: %s}]
"""


def test_sessions_are_counted_in_metrics_and_stats(grounds: Grounds) -> None:
    for name in ("session_feedback", "session_feedback_of_ten"):
        written = FEEDBACK.replace("id: said\n    l", f"id: {name}\n    l") % name
        (grounds.project / f"{name}_said.yaml").write_text(written, encoding="utf-8")
    (grounds.project / "form.yaml").write_text(
        "forms:\n  - form: 会谈反馈\n    id: session_feedback\n    fields:\n"
        "      - {id: heard, label: 被听见, type: slider, required: true, range: [1, 5]}\n"
        "      - {id: took, label: 有用, type: single, required: true, options: [1, 2, 3, 4, 5]}\n"
        "      - {id: tired, label: 几分累, type: slider, required: true}\n"
        "  - form: 十分的会谈反馈\n    id: session_feedback_of_ten\n    fields:\n"
        "      - {id: heard, label: 被听见, type: slider, required: true}\n",
        encoding="utf-8",
    )

    async def work() -> None:
        async with grounds.asgi() as api:
            await api.begun()
            whole, _ = await api.begun()
            for kind, value in ANSWERS:
                await api.turn(whole, type=kind, **({"choice": value} if kind == "choice" else {"text": value}))
            for name, values in (
                ("session_feedback", {"heard": 5, "took": 3, "tired": 0}),
                ("session_feedback_of_ten", {"heard": 4}),
            ):
                told, turn = await api.begun(script=f"tests/{name}")
                form: dict[str, Any] = {"key": turn["request"]["form"]["key"], "values": values}
                body = {"key": "handed-in-1", "input": {"type": "form_submit", "form": form}}
                assert (await api.post(f"{told.path}/turns", body, told.token)).status_code == 200
                await api.get(told.path, told.token)
            text = (await api.get("/metrics")).text
            numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
            assert numbers["heartrule_sessions_started_total"] == "4.0"
            assert numbers["heartrule_sessions_completed_total"] == "3.0"
            assert numbers["heartrule_sessions_rated_total"] == "1.0", "what is answered on ten points is none of five"
            assert numbers["heartrule_sessions_satisfaction_total"] == "4.0"
            assert float(numbers['heartrule_sessions_restored_total{outcome="ok"}']) >= 1

    run(work())
    ran = Command(grounds.folder)("stats", "--format", "json")
    (group,) = json.loads(ran.stdout)["groups"]
    turns = group["of_turns"]
    assert (turns["started"], turns["completed"], turns["satisfaction_mean"]) == (4, 3, 4.0)
    assert "谈到脚本结尾 3 场（75.0%）" in Command(grounds.folder)("stats").stdout
    assert "5 分里 4.0 分" in Command(grounds.folder)("stats", "--by", "script").stdout
    assert SCRIPT in Command(grounds.folder)("stats", "--by", "script").stdout
