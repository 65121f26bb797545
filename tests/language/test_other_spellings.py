"""Every other spelling: read as ours, at its place, said once; what has no meaning here is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.material import ACTIONS, SAY, awareness, codes, linted, loaded, meaning, only, session, skill

from heartrule.language.spellings.rewriter import respelled, spelled_otherwise
from heartrule.language.spellings.script_reader import in_our_spelling, parse_script
from heartrule.language.yaml import parse
from heartrule.testing.talk import Talk, compile_text

SPELLINGS = Path(__file__).parent / "spellings"
NAMES = sorted(path.stem for path in SPELLINGS.glob("*.yaml") if not path.stem.endswith(".ours"))
ANSWERS = ["小林", "三十二", "还好", "上海", "A", "嗯", "好", "可以"] * 4


def written(name: str) -> str:
    return (SPELLINGS / f"{name}.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_it_means_what_its_twin_means(name: str) -> None:
    theirs, ours = loaded(written(name)), loaded(written(f"{name}.ours"))
    assert [each for each in theirs.findings if each.stops] == []
    assert meaning(ours)
    assert meaning(theirs) == meaning(ours)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_said_once_and_ours_says_nothing(name: str) -> None:
    theirs, ours = codes(linted(written(name))), codes(linted(written(f"{name}.ours")))
    assert theirs.count("W194") == 1
    assert "W194" not in ours
    assert sorted(set(theirs) - {"W194"}) == sorted(set(ours))
    assert set(ours) <= {"W220", "W427"}


@pytest.mark.parametrize("name", NAMES)
def test_its_text_becomes_its_twin(name: str) -> None:
    assert respelled(written(name)).traced.text == written(f"{name}.ours")
    assert respelled(written(f"{name}.ours")).first is None


@pytest.mark.parametrize("name", [name for name in NAMES if "technique" not in name])
def test_it_runs_to_its_end_without_a_model(name: str) -> None:
    talks = [Talk(compile_text(written(each))) for each in (name, f"{name}.ours")]
    for talk in talks:
        talk.play(ANSWERS)
        assert talk.ended
    assert [each.text for each in talks[0].history] == [each.text for each in talks[1].history]
    assert talks[0].history


@pytest.mark.parametrize("name", [name for name in NAMES if "technique" in name])
def test_a_technique_in_a_file_of_its_own_is_called(name: str) -> None:
    call = session("- {type: use_skill, skill: socratic, input: {目标信念: 没人喜欢我}}\n" + SAY)
    talk = Talk(compile_text(call, files={"technique.yaml": written(name)}))
    assert "怎么看" in talk.said[0]
    talk.play(ANSWERS)
    assert talk.ended


@pytest.mark.parametrize("name", NAMES)
def test_every_node_stands_on_a_line_of_what_was_written(name: str) -> None:
    text = written(name)
    lines = text.split("\n")
    file = loaded(text)
    seen = 0
    for root in [*file.sessions, *file.skills, *file.awareness]:
        stack = [root]
        while stack:
            node = stack.pop()
            stack += [child for _, child in node.children()]
            assert 1 <= node.place.line <= len(lines)
            assert node.place.column <= len(lines[node.place.line - 1]) + 1
            seen += 1
    assert seen > 2


def test_what_is_wrong_is_told_where_it_was_written() -> None:
    text = written("session").replace("content: 你好", "contnt: 你好")
    found = only(linted(text), "E101")
    line = text.split("\n")[found.line - 1]
    assert line[found.column - 1 :].startswith("contnt")
    assert "话题 问候" in found.path.zh


def test_an_expression_in_another_spelling_is_told_where_it_was_written() -> None:
    text = written("session").replace("entry_condition: session.elapsed < 99999", "entry_condition: 1 == (2")
    found = only(linted(text), "E110")
    assert text.split("\n")[found.line - 1].strip().startswith("entry_condition")


def test_crlf_and_a_byte_order_mark_change_nothing() -> None:
    plain = written("config")
    marked = ("\ufeff" + plain.replace("\n", "\r\n")).encode()
    assert meaning(loaded(marked)) == meaning(loaded(plain))
    assert codes(loaded(marked).findings) == ["W005", "W194"]


def test_our_own_spelling_is_not_looked_at_twice() -> None:
    text = session(SAY, after=skill()) + awareness()
    assert not spelled_otherwise(parse(text, "a").documents)
    assert parse_script(text, "a").findings == []


REFUSED = [
    ("E192", "content_template", session("- {type: say, content: 你好, content_template: 您好}")),
    ("E192", "prompt_template", session("- {type: ai_think, content_template: 甲, prompt_template: 乙}")),
    ("E192", "question_template", session("- {type: ai_ask, content: 甲, question: 乙, question_template: 丙}")),
    ("E192", "condition", session("- {type: say, condition: 1 == 1, config: {content: 你好, condition: 1 == 2}}")),
    ("E192", "target_variable", session("- {type: ask, content: 问, target_variable: a, output: [{get: b}]}")),
    ("E192", "target_variable", session("- {type: ask, content: 问, target_variable: a, output_variables: [b]}")),
    ("E192", "output_variables", session("- {type: ask, content: 问, output: [{get: a}], output_variables: [b]}")),
    ("E192", "stage", "sessions:\n  - {session: a, phases: [{phase: b, stage: c, steps: []}]}\n"),
    ("E192", "say", session("- {say: 你好, content: 您好}")),
    ("E192", "auto", "global:\n  - {var: a, auto: true, listen: {mode: passive}}\n"),
    ("E192", "cancel_if", awareness(head="cancel_if: 1 == 1\nexpires: {times: 1}")),
    ("E192", "reply", awareness(head="reply: 好")),
    ("E192", "if", awareness(head="if: 1 == 1")),
    ("E192", "session", "session: {session_name: a, phases: []}\nsessions: []\n"),
    ("E192", "rules", "rules: []\nawareness: []\n"),
    ("E192", "topic_name", "technique_id: a\ntechnique_name: b\ntopic: {topic_name: c, actions: []}\n"),
    ("E193", "extraction_prompt", session("- {type: ask, content: 问, extraction_prompt: a}")),
    ("E193", "input_variables", session("- {type: say, content: 你好, input_variables: [a]}")),
    ("E193", "fromlist", session("- {type: use_skill, skill: 呼吸练习, fromlist: [a, b]}", after=skill())),
    ("E193", "check_time", awareness(head="check_time: 有空时")),
    ("E193", "condition", session("- {open_rule: a, condition: 1 == 1}")),
    ("E193", "scene", session("- scene: []")),
    ("E193", "open_rule", skill("- open_rule: a")),
    ("E193", "user_option", session("- {user_option: [{A: 好}], choices: [{B: 好}], var: a}")),
]


@pytest.mark.parametrize(
    ("code", "key", "text"), REFUSED, ids=[f"{code} {key} {n}" for n, (code, key, _) in enumerate(REFUSED)]
)
def test_what_has_no_meaning_here_is_refused_where_it_stands(code: str, key: str, text: str) -> None:
    found = only(loaded(text).findings, code)
    assert key in found.message.zh
    assert text.split("\n")[found.line - 1][found.column - 1 :].startswith(key)


@pytest.mark.parametrize("taken", ["awareness: {enable: [b]}", "instructions: 慢"])
def test_a_phase_that_says_it_already_keeps_its_own_word(taken: str) -> None:
    action = "- open_rule: a" if "awareness" in taken else "- scene: 温和"
    assert only(loaded(session(action, phase=taken)).findings, "E192").line


def test_every_key_of_the_tables_is_in_a_fixture() -> None:
    from heartrule.language.spellings.parts import actions, flow, outputs, phases
    from heartrule.language.spellings.parts.awareness import NAMES as WATCHING

    told = "\n".join(written(name) for name in NAMES)
    keys = {"action_type", "action_id", "config", "content_template", "question_template", "prompt_template"}
    keys |= {"say_goal", "think_goal", "input_variables", "output_variables", "exit_condition", *outputs.TARGETS}
    keys |= {*phases.KEYS, "timing_to", "fromlist", "auto", "cancel_if", "cancel_when", "check_time", "consciousness"}
    keys |= {key for names in flow.NAMES.values() for key in names} - {"stage_id", "stage_name", "session_goal"}
    keys |= {"rule", "reply", "technique_id", "input_parameters", "metadata"}
    keys |= set(actions.ONE_KEY) - {"use_skill", "set_var", "fill_form", "show_form", "ai_think", "fill"}
    keys -= {"show_pic", "ai_pic", "ai_guide"}  # they show what no text holds: see ``test_read_elsewhere``
    assert {key for key in keys if f"{key}:" not in told} == set()
    assert WATCHING


def test_a_form_that_is_filled_in_is_our_form() -> None:
    for action in ("- {type: fill_form, form: phq9}", "- fill_form: phq9"):
        assert "show_form" in respelled(session(action)).traced.text
    assert "show_form" in ACTIONS or codes(loaded(session("- fill_form: phq9")).findings) == ["E190", "W194"]


TECHNIQUE = """\
technique_id: grounding
{name}input_parameters:
  - name: 对象
output_variables: [感受]
topic:
  topic_id: {inner}
  topic_name: 着陆练习
  topic_goal: 回到当下
  actions:
    - action_type: ask
      config:
        question_template: "{{对象}}，现在感觉怎么样？"
        extract_to: 感受
"""


class TestTechniqueWithATopicThatHasANameOfItsOwn:
    def test_the_name_is_taken_where_there_is_no_other(self) -> None:
        file = loaded(TECHNIQUE.format(name="", inner="grounding"))
        assert codes(file.findings) == ["W194"]
        assert (file.skills[0].name, file.skills[0].id, file.skills[0].goal) == ("着陆练习", "grounding", "回到当下")
        assert [action.type for action in file.skills[0].actions] == ["ask"]

    def test_an_id_is_taken_where_there_is_no_other(self) -> None:
        text = TECHNIQUE.format(name="", inner="g").replace("technique_id: grounding", "technique_name: 着陆练习")
        file = loaded(text)
        assert codes(file.findings) == ["W194"]
        assert (file.skills[0].name, file.skills[0].id) == ("着陆练习", "g")

    def test_what_is_said_twice_is_told_and_the_rest_is_read(self) -> None:
        text = TECHNIQUE.format(name="technique_name: 着陆\n", inner="g").replace("extract_to", "extractto")
        found = loaded(text).findings
        assert sorted(codes(found)) == ["E101", "W194", "W195", "W195"]
        told = {text.split("\n")[each.line - 1].strip().split(":")[0] for each in found if each.code != "W194"}
        assert told == {"topic_id", "topic_name", "extractto"}

    def test_it_loads_and_formatting_keeps_the_names_as_comments(self) -> None:
        text = TECHNIQUE.format(name="technique_name: 着陆\n", inner="g")
        file = loaded(text)
        assert sorted(codes(file.findings)) == ["W194", "W195", "W195"]
        assert (file.skills[0].name, file.skills[0].id) == ("着陆", "grounding")
        written = in_our_spelling(text, "script.yaml")
        assert "# topic_id: g" in written
        assert codes(loaded(written).findings) == []
        assert in_our_spelling(written, "script.yaml") == written

    def test_a_topic_of_nothing_else(self) -> None:
        found = loaded("technique_id: a\ntopic: {topic_id: b}\nactions: [{say: 好}]\n").findings
        assert sorted(codes(found)) == ["E192", "W194"]

    def test_a_name_that_cannot_be_read_is_no_unknown_key(self) -> None:
        found = loaded("skills:\n  - {skill: a, technique_name: b, actions: []}\n").findings
        assert only(found, "E192").column == 16
        assert "E101" not in codes(found)


@pytest.mark.parametrize(
    ("written", "hook_point"),
    [
        ("话题开始", "topic_start"),
        ("topic start", "topic_start"),
        ("Start of topic", "topic_start"),
        ("话题结束", "topic_end"),
        ("topic-end", "topic_end"),
        ("每轮", "answer"),
        ("after_answer", "answer"),
        ("after_ai_say", "after ai_say"),
        ("before ask", "before ask"),
    ],
)
def test_a_time_that_plainly_means_a_hook_point(written: str, hook_point: str) -> None:
    text = awareness(head=f"check_time: {written}")
    assert list(loaded(text).awareness[0].at) == [hook_point]
    assert "E260" not in codes(linted(text))


@pytest.mark.parametrize(
    "written", ["after_reply", "before_reply", "start", "end", "after_lunch", "[话题开始, 有空时]"]
)
def test_a_time_that_may_mean_several_is_refused(written: str) -> None:
    text = awareness(head=f"check_time: {written}")
    assert text.split("\n")[only(loaded(text).findings, "E193").line - 1].strip().startswith("check_time")
    assert "check_time" in respelled(text).traced.text


class TestItemsOfAPhase:
    def test_opened_and_closed_both_are_told_why_and_the_rest_is_read(self) -> None:
        text = session("- open_rule: a\n- open_rule: b\n- say: 好\n- close_rule: a\n- scene: 慢一点\n- open_rule: a")
        found = [each for each in loaded(text).findings if each.stops]
        lines = [text.split("\n")[each.line - 1].strip() for each in found]
        assert lines == ["- open_rule: a", "- close_rule: a", "- open_rule: a"]
        assert codes(found) == ["E193"] * 3
        (hint,) = {each.hint.en for each in found}
        assert "more than once" in hint

    def test_each_that_the_phase_says_already_is_told(self) -> None:
        text = session("- open_rule: a\n- close_rule: b\n- say: 好", phase="awareness: {enable: [c]}")
        found = [each for each in loaded(text).findings if each.stops]
        assert codes(found) == ["E192", "E192"]
