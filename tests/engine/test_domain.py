"""The field of a project reaches every prompt that says who speaks."""

from __future__ import annotations

import pytest

from heartrule.engine.installed_types import field_models
from heartrule.language.compiling.compiler import compile_session
from heartrule.language.projects.project import load_texts
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk

SESSION = """
sessions:
  - session: 谈话
    id: talk
    phases:
      - phase: P
        steps:
          - topic: T
            actions:
              - {type: ai_say, content: 讲一讲怎么看岗位, max_rounds: 1}
              - {type: ai_think, content: 想一想他适合什么, output: [{get: 方向}]}
              - {type: ai_ask, content: 了解工作, output: [{get: 岗位, question: 现在做什么？}]}
              - {type: say, content: "记下了：{方向}{岗位}"}
"""


def prompts(domain: str) -> list[str]:
    home = load_texts({"project.yaml": f"id: jobs\nlocale: zh-CN\n{domain}", "talk.yaml": SESSION}, field_models())
    made = compile_session(next(iter(home.sessions)), home, {home.id: home}.get, None)[0]
    talk = Talk(made, {})
    for _ in range(4):
        if talk.request is not None:
            talk.say("做会计，三年了")
    return ["\n".join(each.text for each in render(task, made).messages) for task in talk.asked]


@pytest.mark.parametrize("domain", ["domain: 职业咨询", "domain: {zh-CN: 职业咨询, en: career counselling}"])
def test_every_prompt_that_speaks_names_the_project_s_field(domain: str) -> None:
    told = prompts(domain)
    speaking = [each for each in told if each.startswith("你是")]
    assert len(speaking) >= 2
    assert all("职业咨询" in each for each in speaking)
    assert not any("认知行为" in each or "CBT" in each for each in told)


def test_a_project_that_says_none_is_told_none() -> None:
    assert not any("认知行为" in each or "的方式" in each for each in prompts(""))
