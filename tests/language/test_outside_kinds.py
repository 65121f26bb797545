"""What outsiders leave out, or write in a shape of their own: what is taken for it is told, and what would change the
meaning is refused."""

from __future__ import annotations

import pytest
from tests.language.material import ACTIONS, SAY, at, awareness, codes, linted, loaded, meaning, only, session, skill

from heartrule.language.formatting import formatted
from heartrule.language.spellings.parts.cases import cased
from heartrule.language.spellings.parts.literals import NUMBERS, TRUTHS, literal
from heartrule.language.spellings.rewriter import respelled
from heartrule.testing.talk import Talk, compile_text


def fmt(text: str) -> str:
    """Formatted, with the same meaning and for good."""
    after, errors = formatted(text.encode(), "script.yaml", ACTIONS)
    assert errors == []
    assert formatted(after, "script.yaml", ACTIONS) == (after, [])
    assert meaning(loaded(after)) == meaning(loaded(text))
    return after.decode()


def told(text: str, code: str) -> list[tuple[int, str]]:
    """Where a code stands, and the message."""
    return [(each.line, each.message.en) for each in linted(text) if each.code == code]


class TestPictures:
    @pytest.mark.parametrize(
        ("beside", "taken"),
        [
            ("caption: 情绪轮", "caption"),
            ("purpose: 认识情绪\n  caption: 情绪轮", "caption"),
            ("description: 情绪轮\n  caption: 图一", "description"),
            ("purpose: 情绪轮", "purpose"),
        ],
    )
    def test_what_stands_beside_a_picture_is_what_is_heard(self, beside: str, taken: str) -> None:
        text = session(f"- type: show_pic\n  pic: wheel.png\n  {beside}")
        assert told(text, "W197") == [(8, f"“alt” is missing; “{taken}” is taken for it")]
        after = fmt(text)
        assert "alt: 情绪轮" in after
        assert told(after, "W197") == []
        assert ("description" in after) is False

    def test_a_picture_that_is_painted_is_heard_as_it_was_ordered(self) -> None:
        text = session("- {ai_pic: 一片海, caption: '你的梦：海'}")
        assert "alt: '你的梦：海'" in fmt(text)
        assert "alt: 一片海" in fmt(session("- type: ai_pic\n  image_prompt: 一片海"))

    def test_one_with_nothing_beside_it_is_refused(self) -> None:
        assert at(loaded(session("- {type: show_pic, picture: wheel.png}")).findings) == [("E102", 8)]
        assert at(loaded(session("- {type: show_pic, picture: a.png, caption: ''}")).findings) == [("E102", 8)]

    def test_what_is_taken_over_counts(self) -> None:
        text = "x-a: &a {alt: 图}\n" + session("- {<<: *a, type: show_pic, picture: a.png, caption: 图一}")
        assert codes(loaded(text).findings) == []


class TestRoles:
    @pytest.mark.parametrize(
        ("written", "who", "name"),
        [
            ("role: 咨询师", "ai", "咨询师"),
            ("role: 来访者\n    name: 小林", "person", "小林"),
            ("role: 小禾\n    tone: 温柔", "ai", "小禾"),
            ("name: The client", "person", "The client"),
            ("name: 陪伴机器人", "ai", "陪伴机器人"),
        ],
    )
    def test_who_it_is_can_be_told_by_the_name(self, written: str, who: str, name: str) -> None:
        text = f"roles:\n  - {written}\n"
        (role,) = loaded(text).roles
        assert (role.role, role.name) == (who, name)
        assert told(text, "W197")
        assert codes(linted(fmt(text))) == []

    def test_in_capitals_nothing_has_to_be_guessed(self) -> None:
        text = "roles:\n  - {role: AI, name: 小禾}\n  - {role: User, name: 你}\n"
        assert [role.role for role in loaded(text).roles] == ["ai", "person"]
        assert codes(linted(text)) == ["W194"]

    @pytest.mark.parametrize("written", ["role: 小禾", "name: 小禾", "{role: 小禾, name: 阿禾}", "tone: 温柔"])
    def test_who_it_is_is_asked_where_nothing_tells(self, written: str) -> None:
        assert [each for each in loaded(f"roles:\n  - {written}\n").findings if each.stops]


class TestFiles:
    def test_one_script_in_a_file_is_called_by_the_head_of_it(self) -> None:
        head = "script_id: breath\nscript_name: 呼吸\nscript_type: technique\nversion: 2\n"
        text = head + "topic:\n  name: 慢慢呼吸\n  actions:\n    - say: 吸气\n"
        (found,) = loaded(text).skills
        assert (found.id, found.name) == ("breath", "呼吸")
        assert len(told(text, "W196")) == 3
        assert "    # version: 2" in fmt(text)

    def test_a_session_of_phases_alone(self) -> None:
        text = "script_id: first\nscript_type: session\nscript_name: 初谈\nphases: []\n"
        (found,) = loaded(text).sessions
        assert (found.id, found.name) == ("first", "初谈")
        fmt(text)

    def test_an_awareness_script_watches_where_its_priority_says(self) -> None:
        head = "script_id: tired\nscript_type: awareness\nscript_name: 疲劳\npriority: {}\n"
        text = head + "condition: 来访者是否很累\ntrigger: {{threshold: 0.7}}\naction:\n  - directive: END_SESSION\n"
        (first,) = loaded(text.format("P1")).awareness
        assert (first.id, first.at, first.noticing and first.noticing.threshold) == (
            "tired",
            ["topic_start", "topic_end"],
            0.7,
        )
        (second,) = loaded(text.format("P2")).awareness
        assert second.every == "5m"
        assert told(text.format("P1"), "W197") == [(4, "“at” is missing; “[topic_start, topic_end]” is taken for it")]
        assert told(text.format("P0"), "W197") == []
        fmt(text.format("P2"))

    @pytest.mark.parametrize("outer", ["script", "script_content"])
    def test_what_is_wrapped_is_the_file(self, outer: str) -> None:
        text = f"# 一\n{outer}:\n  # 二\n  session:\n    name: 初谈\n    phases: []\n"
        assert loaded(text).sessions[0].name == "初谈"
        assert "# 二" in fmt(text)

    def test_a_head_that_holds_nothing_is_a_note(self) -> None:
        text = "script:\n  id: a\n  version: 1\n" + session()
        assert [line for line, _ in told(text, "W196")] == [1]
        assert fmt(text).startswith("# script:\n#   id: a\n#   version: 1\n")

    def test_a_form_is_found_by_the_id_of_its_file(self) -> None:
        text = "script_id: mood\nform:\n  title: 心情\n  fields: []\n"
        (found,) = loaded(text).forms
        assert (found.id, found.name) == ("mood", "心情")
        fmt(text)

    def test_what_stands_in_a_topic_belongs_to_it(self) -> None:
        steps = "      - topic:  # 一\n          name: 问候\n          # 二\n          actions: []\n"
        text = f"sessions:\n  - session: a\n    phases:\n    - phase: b\n      steps:\n{steps}"
        assert loaded(text).sessions[0].phases[0].steps[0].name == "问候"
        assert fmt(text).count("#") == 2
        assert only(
            loaded(text.replace("name: 问候", "name: 问候\n          id: t") + "        id: u\n").findings, "E192"
        )


class TestActions:
    def test_the_new_key_goes_before_the_old_one(self) -> None:
        text = session("- type: ai_say\n  ai_say: 旧的\n  content: 新的\n  require_acknowledgment: false")
        assert loaded(text).sessions[0].phases[0].steps[0].actions[0].peek("content") == "新的"
        assert [line for line, _ in told(text, "W196")] == [9]
        assert "# ai_say: 旧的" in fmt(text)

    def test_every_key_of_an_action_may_be_in_another_case(self) -> None:
        for fields in ACTIONS.values():
            for key in fields.model_fields:
                first, *rest = key.split("_")
                camel = first + "".join(part.capitalize() for part in rest)
                assert cased(camel) == (key if rest and not key.endswith("_") else None), key
        assert cased("defaultValue") is None
        assert cased("Type") is None
        assert cased("x-a") is None

    def test_what_is_picked_keeps_its_case(self) -> None:
        text = session("- user_option: [{staySilent: 不说}, {goOn: 继续}]")
        assert [each.value for each in loaded(text).sessions[0].phases[0].steps[0].actions[0].peek("choices")] == [
            "staySilent",
            "goOn",
        ]

    def test_yes_and_no_are_written_for_every_reader_and_not_told(self) -> None:
        text = session("- type: ai_say\n  content: 好\n  require_acknowledgment: off  # 不等\n  max_rounds: '2'")
        assert "W194" not in codes(loaded(text).findings)
        after = fmt(text)
        assert "require_acknowledgment: false  # 不等" in after
        assert "max_rounds: 2" in after
        assert respelled(after).first is None

    def test_which_values_are_meant(self) -> None:
        assert literal("required", "Yes") == "true"
        assert literal("max_rounds", "07") == "7"
        assert [
            literal(key, value) for key, value in (("content", "yes"), ("required", True), ("max_rounds", "二"))
        ] == [
            None,
            None,
            None,
        ]
        known = {key for fields in ACTIONS.values() for key in fields.model_fields}
        assert {"required", "adaptive", "review"} <= TRUTHS & known
        assert {"max_rounds", "min_rounds"} <= NUMBERS & known

    def test_steps_of_an_exercise_are_said(self) -> None:
        talk = Talk(compile_text(session("- type: ai_guide\n  content: 呼吸\n  steps: [吸气, 呼气]")))
        assert "吸气" in talk.said[-1]
        assert only(loaded(session("- {type: ai_guide, content: 呼吸}")).findings, "E102").line == 8

    def test_names_alone_are_asked_for(self) -> None:
        text = session("- {type: ask, content: 几岁？, output: [年龄]}")
        assert "output: [{get: 年龄}]" in fmt(text)
        assert at(loaded(session("- {type: ask, content: 几岁？, output: [3]}")).findings) == [("E103", 8)]


class TestVariables:
    @pytest.mark.parametrize(
        ("written", "ours"),
        [
            ("validation: {min: 1, max: 5}", "range: [1, 5]"),
            ("validate: {minimum: 1}", 'validate: "甲 >= 1"'),
            ("range: {max: 5}", 'validate: "甲 <= 5"'),
            ("validation: {regex: '[0-9]+'}", "pattern: '[0-9]+'"),
            ("on_fail: 跳过", "on_failure: {do: skip}"),
            ("failure_strategy: {do: skip}", "on_failure: {do: skip}"),
            ("listen_mode: passive", "listen: {mode: passive}"),
            ("depends_on: [{variable: 乙}]", "depends_on: [{var: 乙}]"),
        ],
    )
    def test_settings_in_other_shapes(self, written: str, ours: str) -> None:
        text = f"global:\n  - var: 甲\n    {written}  # 注\n  - {{var: 乙}}\n"
        assert f"    {ours}  # 注\n" in fmt(text)

    @pytest.mark.parametrize(
        ("written", "code"),
        [
            ("validation: {min: 1, odd: true}", "E101"),
            ("validation: {min: 1, max: 2}\n    range: [1, 2]", "E192"),
            ("listen_scope: session\n    listen: {mode: passive}", "E192"),
            ("on_fail: ask\n    on_failure: {do: skip}", "E192"),
            ("on_failure: 看情况", "E103"),
        ],
    )
    def test_what_cannot_be_read_or_is_said_twice_is_refused(self, written: str, code: str) -> None:
        found = loaded(f"global:\n  - var: 甲\n    {written}\n").findings
        assert (code, 3) in at(found)

    def test_notes_beside_a_variable(self) -> None:
        text = "global:\n  - {var: 甲, remark: 注}\n" + session(
            "- {type: ask, content: 问, output: [{get: 甲, note: 注}]}"
        )
        assert len(told(text, "W196")) == 2
        fmt(text)


class TestForms:
    def test_several_boxes_are_several_choices(self) -> None:
        text = "forms:\n  - form: a\n    fields:\n      - {name: b, label: c, type: checkbox, options: [一, 二]}\n"
        text += "      - {name: d, label: e, type: checkbox}\n"
        assert [field.type for field in loaded(text).forms[0].fields] == ["multiple", "boolean"]
        fmt(text)

    @pytest.mark.parametrize("key", ["submit", "submit_action", "on_complete"])
    def test_what_is_done_with_it_afterwards_is_refused(self, key: str) -> None:
        found = only(loaded(f"forms:\n  - form: a\n    fields: []\n    {key}: {{save_to: b}}\n").findings, "E193")
        assert "on_submit" in found.hint.en


@pytest.mark.parametrize(
    "text",
    [
        session(topic="cancel_when: 累了"),
        session(phase="cancel_if: 累了"),
        session(head="cancel_when: 累了"),
        skill(head="cancel_when: 累了"),
    ],
)
def test_an_end_in_the_middle_is_refused_with_what_to_write(text: str) -> None:
    found = only(loaded(text).findings, "E193")
    assert text.split("\n")[found.line - 1].strip().startswith("cancel_")
    assert "resume: skip" in found.hint.zh


def test_roles_of_a_session_belong_to_the_file() -> None:
    found = only(loaded(session(head="roles: []")).findings, "E115")
    assert "roles" in found.message.en


def test_rules_say_when_they_watch_as_before() -> None:
    assert "at: [answer]" in respelled(awareness(head="").replace("- awareness:", "- rule:")).traced.text


def test_strategies_keep_their_names() -> None:
    text = session(SAY, topic="strategy: {retry_strategy: comfort, max_retry_count: 1}")
    assert "{retry: comfort, max_retries: 1}" in fmt(text)


@pytest.mark.parametrize("key", ['entry_condition: ""', "entry_condition:", "condition: ''"])
def test_a_condition_that_an_editor_left_empty_is_none(key: str) -> None:
    text = session(SAY, phase=key).replace("- phase:", "- phase_name:")
    assert [code for _, code in told(text, "E110")] == []
    assert loaded(text).sessions[0].phases[0].condition is None
    assert f"# {key.replace('entry_', '')}" in fmt(text)


@pytest.mark.parametrize("steps", ["5", "true", "慢慢来", "{a: b}", "[1]", ""])
def test_steps_that_are_none_are_refused_where_they_stand(steps: str) -> None:
    text = session(f"- {{type: ai_guide, exercise: 呼吸, exercise_steps: {steps}}}")
    assert {each.line for each in linted(text) if each.stops} == {8}
