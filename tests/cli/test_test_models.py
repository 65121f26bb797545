"""Who answers a case: cassettes that are recorded and replayed, and live models that must pass so many times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.script_tests.material import write

from heartrule.script_tests.tape import cassette
from heartrule.testing.openai_server import OpenAIServer

RECORDED = """\
tests:
  - test: 录下的
    script: hello
    model: recorded
    turns:
      - say: 小林
      - say: 差不多三分吧
        expect: {set: {强度: {value: 3, strategy: json}}, at: pick}
"""
ANSWERS = """\
ask: {understood: true, values: {称呼: {value: 小林, evidence: 小林}}, content: 你好，小林。}
ai_ask: {values: {强度: {value: 3, evidence: 三分}}, EXIT: true, content: 好。}
"""
TAPE = Path("tests", "cassettes", "said.json")
RECORD = ("test", "--answers-from", "answers.yaml", "--lang", "en")


@pytest.fixture
def project(heartrule: Command) -> Command:
    write(heartrule.folder, {"tests/said.test.yaml": RECORDED, "answers.yaml": ANSWERS})
    return heartrule


def tape(project: Command) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((project.folder / TAPE).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("tests/a.test.yaml", "tests/cassettes/a.json"),
        ("b.test.yml", "cassettes/b.json"),
        ("tests/c.yaml", "tests/cassettes/c.json"),
    ],
)
def test_a_cassette_lies_beside_its_file(file: str, kept: str) -> None:
    assert cassette(file) == Path(kept)


def test_what_was_recorded_is_replayed(project: Command) -> None:
    recorded = project(*RECORD)
    assert recorded.returncode == 0, recorded.stdout
    kept = tape(project)
    assert len(kept) >= 4
    assert any("差不多三分吧" in str(entry["messages"]) for entry in kept.values())
    replayed = project("test", "--lang", "en")
    assert replayed.returncode == 0, replayed.stdout
    assert "1 passed" in replayed.stdout
    assert tape(project) == kept


def test_it_is_replayed_in_several_processes(project: Command) -> None:
    write(project.folder, {"tests/more.test.yaml": RECORDED.replace("录下的", "又一次")})
    assert project(*RECORD).returncode == 0
    assert project("test", "--parallel", "2").returncode == 0


def test_a_miss_shows_how_the_nearest_prompt_differs(project: Command) -> None:
    project(*RECORD)
    write(project.folder, {"tests/said.test.yaml": RECORDED.replace("差不多三分吧", "差不多四分吧")})
    ran = project("test", "--lang", "en")
    assert ran.returncode == 1
    assert "no answer to this question is recorded" in ran.stdout
    assert "tests/cassettes/said.json" in ran.stdout
    lines = [line.strip() for line in ran.stdout.splitlines()]
    assert any(line.startswith("-") and "差不多三分吧" in line for line in lines)
    assert any(line.startswith("+") and "差不多四分吧" in line for line in lines)
    assert "没有录下" in project("test", "--lang", "zh").stdout


def test_without_a_cassette_it_is_said_that_nothing_is_recorded(project: Command) -> None:
    ran = project("test", "--lang", "zh")
    assert ran.returncode == 1
    assert "--record" in ran.stdout
    assert "还没有录" in ran.stdout
    assert "tests/cassettes/said.json" in ran.stdout
    (told,) = json.loads(project("test", "--format", "json").stdout)
    assert told["fault"] == {"code": "no_cassette", "about": "tests/cassettes/said.json"}


def test_recording_again_asks_only_for_what_is_missing_and_forgets_the_rest(project: Command) -> None:
    project(*RECORD)
    before = tape(project)
    write(project.folder, {"tests/said.test.yaml": RECORDED.replace("小林", "阿林")})
    write(project.folder, {"answers.yaml": ANSWERS.replace("小林", "阿林").replace("content: 好", "content: 嗯")})
    ran = project(*RECORD)
    assert ran.returncode == 0, ran.stdout
    assert "taken off the cassettes" in ran.stderr
    assert not before.keys() & tape(project).keys()
    kept = tape(project)
    project(*RECORD, "-k", "录")
    assert tape(project) == kept


def test_a_part_of_the_tests_forgets_nothing(project: Command) -> None:
    write(
        project.folder, {"tests/said.test.yaml": RECORDED + RECORDED.replace("tests:\n", "").replace("录下的", "别的")}
    )
    project(*RECORD)
    kept = tape(project)
    write(
        project.folder,
        {"tests/said.test.yaml": RECORDED + "  - {test: 新的, script: hello, turns: [start: {ended: false}]}\n"},
    )
    project(*RECORD, "-k", "新的")
    assert tape(project) == kept


def test_a_test_that_stops_early_forgets_nothing(project: Command) -> None:
    project(*RECORD)
    kept = tape(project)
    write(project.folder, {"tests/said.test.yaml": RECORDED.replace("- say: 小林", "- choose: 没有的")})
    ran = project(*RECORD)
    assert ran.returncode == 1
    assert tape(project) == kept
    assert "taken off the" not in ran.stderr
    assert "Nothing was taken off tests/cassettes/said.json" in ran.stderr


def test_a_model_that_is_down_forgets_nothing(project: Command) -> None:
    project(*RECORD)
    kept = tape(project)
    script = (project.folder / "hello.yaml").read_text(encoding="utf-8").replace("了解心情的分数", "了解心情")
    write(project.folder, {"hello.yaml": script, "answers.yaml": "{ask: fail, ai_ask: fail}"})
    ran = project(*RECORD)
    assert kept.items() <= tape(project).items()
    assert "Nothing was taken off" in ran.stderr


def test_a_cassette_of_two_files_is_cleared_when_both_are_held(project: Command) -> None:
    write(project.folder, {"tests/said.yaml": RECORDED.replace("差不多", "大概").replace("录下的", "也录下的")})
    project(*RECORD)
    kept = tape(project)
    ran = project(*RECORD, "tests/said.yaml")
    assert tape(project) == kept
    assert "Nothing was taken off" in ran.stderr
    write(project.folder, {"tests/said.yaml": RECORDED.replace("差不多", "好像").replace("录下的", "也录下的")})
    assert "taken off the cassettes" in project(*RECORD).stderr


@pytest.mark.parametrize(
    ("text", "code"),
    [("ai_aks: {}", "E703"), ("ai_ask: 3", "E712"), ("[]", "E015"), ("", "E015"), ("a: [", "E0"), (None, "E017")],
)
def test_answers_that_are_none(project: Command, text: str | None, code: str) -> None:
    path = project.folder / "answers.yaml"
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    ran = project(*RECORD)
    assert ran.returncode == 2
    assert code in ran.stderr
    assert "answers.yaml:1:" in ran.stderr


def test_recording_and_live_need_a_model(project: Command) -> None:
    for option in ("--record", "--live"):
        ran = project("test", option, "--lang", "en")
        assert ran.returncode == 2
        assert "No language model is configured" in ran.stderr


# a real model, on the loopback

LIVE = """\
tests:
  - test: 活的
    script: hello
    model: live
    live: {runs: 3, pass: 2}
    turns:
      - say: 小林
      - say: 差不多三分吧
        expect: {set: {强度: {value: 3, strategy: json}}}
"""
QUIET = {
    "risk": {"verdicts": [{"id": number, "verdict": "no", "confidence": 1.0} for number in range(1, 13)]},
    "perceive": {"holds": [], "values": []},
}


def answered(score: object) -> str:
    return json.dumps(
        {
            **QUIET["risk"],
            **QUIET["perceive"],
            "understood": True,
            "values": {"强度": {"value": score, "evidence": "三分"}},
            "EXIT": True,
            "content": "好的。",
        },
        ensure_ascii=False,
    )


def environment(server: OpenAIServer) -> dict[str, str]:
    return {"HEARTRULE_LLM_BASE_URL": server.url, "HEARTRULE_LLM_MODEL": "stub"}


def test_recording_from_a_model_and_replaying_without(project: Command) -> None:
    perceived = '{"holds": [], "values": []}'
    with OpenAIServer(
        lambda body: perceived if "values" in str(body) and "EXIT" not in str(body) else answered(3)
    ) as server:
        project.environment = environment(server)
        ran = project("test", "--record")
        assert ran.returncode == 0, ran.stdout
        asked = len(server.bodies)
        assert asked == len(tape(project))
        assert project("test", "--record").returncode == 0
        assert len(server.bodies) == asked
    project.environment = {}
    assert project("test").returncode == 0


@pytest.mark.parametrize(("wrong", "code"), [(1, 0), (2, 1)])
def test_a_live_case_must_pass_so_many_times(heartrule: Command, wrong: int, code: int) -> None:
    write(heartrule.folder, {"tests/live.test.yaml": LIVE})
    given = 0

    def mind(body: object) -> str:
        nonlocal given
        if "EXIT" not in str(body):
            return '{"holds": [], "values": []}' if "values" in str(body) else answered(3)
        given += 1
        return answered(4 if given <= wrong else 3)

    with OpenAIServer(mind) as server:
        heartrule.environment = environment(server)
        ran = heartrule("test", "--live", "--lang", "en")
    assert ran.returncode == code, ran.stdout
    assert f"passed {3 - wrong} times of 3, 2 wanted" in ran.stdout


def test_a_live_case_is_left_out_otherwise(heartrule: Command) -> None:
    write(heartrule.folder, {"tests/live.test.yaml": LIVE})
    ran = heartrule("test", "--lang", "en")
    assert ran.returncode == 0
    assert "1 test(s) that want a live model were not run" in ran.stderr
    assert "活的" not in ran.stdout


def test_a_broken_cassette_fails_the_test_and_nothing_else(project: Command) -> None:
    """It is no outage of a model: the test would pass with what the rules make of it."""
    write(
        project.folder, {str(TAPE): '{"version": 1}\n', "tests/plain.test.yaml": RECORDED.replace("recorded", "none")}
    )
    for command in (("test", "--lang", "en"), RECORD):
        ran = project(*command, "--junit", "report.xml")
        assert ran.returncode == 1
        assert "tests/said.test.yaml:2:" in ran.stderr
        assert "The cassette cannot be read: tests/cassettes/said.json, line 1" in ran.stderr
        assert "plain.test.yaml:2 录下的" in ran.stdout
        assert 'errors="1"' in (project.folder / "report.xml").read_text(encoding="utf-8")
    assert (project.folder / TAPE).read_text(encoding="utf-8") == '{"version": 1}\n'
