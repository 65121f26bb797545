"""W442: what is accepted where nothing reads it is told, and the same key where something does is not."""

from __future__ import annotations

import pytest
from tests.language.material import awareness, checked, session, skill

TWO = "output: [{get: 睡眠, define: 睡得怎样, question: 睡得怎样？}, {get: 起因, define: 起因, question: 为什么？}]"
ONE = "output: [{get: 睡眠, define: 睡得怎样}]"
FORM = "forms:\n  - form: 小问卷\n    id: {id}\n    fields:\n      - {field}\n"
ORDER = "{{directive: {directive}, {keys}}}"


def told(text: str, project: str = "id: mine") -> set[str]:
    """The keys that W442 is about."""
    found = [each for each in checked({"project.yaml": project, "a.yaml": text}) if each.code == "W442"]
    return {each.message.en.partition("`")[2].partition("`")[0] for each in found}


def asked(more: str, output: str = TWO) -> str:
    return session(
        f"- type: ai_ask\n  content: 问睡眠\n  {output}\n" + "".join(f"  {line}\n" for line in more.split("; "))
    )


@pytest.mark.parametrize(
    ("more", "output", "keys"),
    [
        (
            "exit: 说清了; style: choice; fallback: 说说？; max_rounds: 9",
            TWO,
            {"exit", "style", "fallback", "max_rounds"},
        ),
        ("exit: 说清了; style: choice; fallback: 说说？; max_rounds: 9", ONE, set()),
        ("rounds: 2-4; follow: 问起因; exit_criteria: {min_rounds: 2}; verify: llm", TWO, set()),
        (
            "literal: true; follow: 问起因; exit_criteria: {min_rounds: 2}; verify: llm; question: 怎样？",
            TWO,
            {"follow", "exit_criteria", "verify", "question"},
        ),
        ("verify: llm; when_known: ask; required: false", "output: []", {"verify", "when_known", "required"}),
        ("verify: llm; when_known: ask; required: false", ONE, set()),
    ],
)
def test_of_questions(more: str, output: str, keys: set[str]) -> None:
    assert told(asked(more, output)) == keys


@pytest.mark.parametrize(
    ("action", "keys"),
    [
        ("{type: ai_say, content: 讲, exit_sources: [max_rounds]}", {"exit_sources"}),
        ("{type: ai_say, content: 讲, exit_sources: [max_rounds], max_rounds: 2}", set()),
        ("{type: ask, content: 怎样？, memory: {write: {enabled: true}}}", {"memory"}),
        ("{type: ask, content: 怎样？, output: [{get: 睡眠}], memory: {write: {enabled: true}}}", set()),
        ("{type: show_form, form: quiz, mode: view, required: true, timeout: 5m}", {"required", "timeout"}),
        ("{type: show_form, form: quiz, mode: counselor, required: true}", {"required"}),
        ("{type: show_form, form: quiz, required: true, timeout: 5m}", set()),
        ("{type: parallel_actions, actions: [{type: set_var, var: x, value: 1}], timeout: 5m}", {"timeout"}),
        (
            "{type: parallel_actions, actions: [{type: set_var, var: x, value: 1}], card: {title: 卡, text: 字}}",
            {"card"},
        ),
        ("{type: parallel_actions, actions: [{type: ask, content: 好吗}], timeout: 5m}", set()),
        ("{type: parallel_actions, actions: [{type: ask, content: 好吗}], card: {title: 卡, text: 字}}", set()),
        ("{type: use_skill, skill: 呼吸练习, to: t}", {"to"}),
        ("{type: use_skill, skill: 呼吸练习, timing: before_topic, to: t}", set()),
        ("{type: use_skill, skill: 呼吸练习, timing: after_topic, resume: skip}", {"resume"}),
        ("{type: use_skill, skill: 呼吸练习, resume: skip}", set()),
    ],
)
def test_of_actions(action: str, keys: set[str]) -> None:
    form = FORM.format(id="quiz", field="{id: q, label: 几晚, type: integer}")
    assert told(session(f"- {action}", topic="id: t", after=skill() + form)) == keys


@pytest.mark.parametrize(
    "type_", ["show_form, form: quiz", "ai_pic, prompt: 海, alt: 海", "parallel_actions, actions: []"]
)
def test_what_asks_no_model_for_words_takes_no_tier_and_no_review(type_: str) -> None:
    text = session(f"- {{type: {type_}, model: quality, review: true}}")
    found = [each for each in checked({"a.yaml": text}) if each.code == "W241"]
    assert len(found) == 2 or "parallel" in type_


@pytest.mark.parametrize(
    ("directive", "keys", "idle"),
    [
        ("SKIP_TOPICS", "topics: [t], position: HEAD", {"position"}),
        ("INSERT_TOPIC", "topic: t, position: HEAD", set()),
        ("END_SESSION", "reason: 够了, note: 走了", {"note"}),
        ("ESCALATE", "to: desk, note: 走了", set()),
        ("FEEDBACK", "text: 慢点, value: 1", {"value"}),
        ("SET_VAR", "var: x, value: 1, params: {a: 1}", {"params"}),
    ],
)
def test_of_directives(directive: str, keys: str, idle: set[str]) -> None:
    order = "- " + ORDER.format(directive=directive, keys=keys)
    assert (
        told(session(topic="id: t", after=awareness(order, head="priority: P1\nat: [after answer]\nalways: true")))
        == idle
    )


def test_of_awareness() -> None:
    head = "priority: P1\nat: [after answer]\nalways: true\nresume: skip\n"
    stop, call = "- {directive: END_SESSION}", "- {directive: CALL_TECHNIQUE, technique: 呼吸练习}"
    assert told(session(after=awareness(stop, head=head) + skill())) == {"resume"}
    assert told(session(after=awareness(call, head=head) + skill())) == set()
    watched = awareness(
        call, head="priority: P1\nat: [after answer]\nalways: true\non_watch: [{directive: END_SESSION}]"
    )
    assert told(session(after=watched + skill())) == set()
    worked_out = watched.replace("{judge: 来访者是否在抗拒}", "心情 > 5")
    assert told(session(after=worked_out + skill())) == {"on_watch"}


@pytest.mark.parametrize(
    ("field", "keys"),
    [
        ("{id: q, label: 几晚, type: integer, max_length: 3, ends: [少, 多]}", {"max_length", "ends"}),
        ("{id: q, label: 几晚, type: text, range: [0, 3], step: 1, unit: 晚}", {"range", "step", "unit"}),
        ("{id: q, label: 几晚, type: slider, range: [0, 3], step: 1, unit: 晚, ends: [少, 多]}", set()),
        ("{id: q, label: 几晚, type: boolean, options: [是, 否]}", {"options"}),
        ("{id: q, label: 几晚, type: text, message: 不对}", {"message"}),
        ("{id: q, label: 读一读, type: note, required: true}", {"required"}),
    ],
)
def test_of_forms(field: str, keys: set[str]) -> None:
    assert told(FORM.format(id="quiz", field=field)) == keys


@pytest.mark.parametrize(("range_", "keys"), [("", {"id"}), (", range: [1, 5]", set()), (", range: [0, 5]", {"id"})])
def test_of_feedback_that_is_not_counted(range_: str, keys: set[str]) -> None:
    field = f"{{id: q, label: 被听见, type: slider{range_}}}"
    assert told(FORM.format(id="session_feedback", field=field)) == keys
    assert told(FORM.format(id="quiz", field=field)) == set()


@pytest.mark.parametrize(
    ("declared", "keys"),
    [
        ("{var: x, define: x, on_failure: {do: skip, max: 3}}", {"max"}),
        ("{var: x, define: x, on_failure: {max: 3}}", set()),
        ("{var: x, define: x, depends_on: [{}]}", {"depends_on"}),
        ("{var: x, define: x, type: integer, ends: [少, 多]}", {"ends"}),
        ("{var: x, define: x, type: text, key: 名}", {"key"}),
    ],
)
def test_of_variables(declared: str, keys: set[str]) -> None:
    assert told(session(head=f"declare: [{declared}]")) == keys


@pytest.mark.parametrize(
    ("text", "project", "keys"),
    [
        (session(topic="strategy: {max_retries: 3}"), "id: mine", {"max_retries"}),
        (session(topic="strategy: {retry: comfort, max_retries: 3}"), "id: mine", set()),
        (session(topic="memory: {read: {enabled: false, top_k: 3}}"), "id: mine", {"top_k"}),
        (session(topic="memory: {read: {top_k: 3}}"), "id: mine", set()),
        (skill(head="led: true"), "id: mine", {"led"}),
        (skill(head="led: true"), "id: safety", set()),
        (skill(head="parameters: [{name: x, required: true, default: 1}]"), "id: mine", {"required"}),
        (skill(head="parameters: [{name: x, required: true}]"), "id: mine", set()),
        (session(), "id: mine\nroles: [{role: person, name: 你, tone: 轻}]", {"tone"}),
        (session(), "id: mine\nroles: [{role: ai, name: 小禾, tone: 轻}]", set()),
    ],
)
def test_of_what_actions_stand_in(text: str, project: str, keys: set[str]) -> None:
    assert told(text, project) == keys
