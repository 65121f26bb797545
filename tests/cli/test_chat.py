"""``heartrule chat`` with lines from standard input, as another program would use it."""

from __future__ import annotations

import re
import shlex
import signal
import time
from pathlib import Path
from typing import IO

import pytest
from tests.cli.command import LINES, Command

from heartrule.cli import program


def spoken(output: str) -> list[str]:
    """What stands after the notices."""
    return output.partition("\n\n")[2].strip().split("\n")


def until(wanted: str, stream: IO[str]) -> None:
    for line in stream:
        if wanted in line:
            return
    raise AssertionError(f"it ended before {wanted!r}")


def test_a_session_from_beginning_to_end(heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", lines=LINES)
    assert ran.returncode == 0, ran.stderr
    assert spoken(ran.stdout)[:2] == ["AI: 你好。", "AI: 怎么称呼你？"]
    assert "> 小林" in ran.stdout
    assert "AI: 小林，这两周常觉得没意思吗？" in ran.stdout
    assert "  A  几乎没有\n  B  大多数日子\n" in ran.stdout
    assert "AI: 谢谢你，今天先到这里。" in ran.stdout
    assert ran.stdout.rstrip().endswith("会谈到此结束。谢谢你。")
    assert ran.stderr == ""


def test_notices_come_before_the_first_word(heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml")
    before = ran.stdout.partition("AI: ")[0]
    assert "AI 程序" in before
    assert "不能诊断" in before
    for number in ("12356", "110", "120"):
        assert number in before
    assert "脚本模式" in before
    assert str(heartrule.data) in before


def test_whom_a_session_is_for_is_told_before_the_first_word(heartrule: Command) -> None:
    script = heartrule.folder / "hello.yaml"
    script.write_text(script.read_text().replace("    id: hello\n", "    id: hello\n    audience: 睡不好的成年人\n", 1))
    before = heartrule("chat", "hello.yaml").stdout.partition("AI: ")[0]
    assert "适合：睡不好的成年人" in before


@pytest.mark.parametrize("line", ["B", "b", "2", "大多数日子", "Ｂ。"])
def test_an_option_by_value_number_or_label(line: str, heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", lines=["小林", line, "", "/vars"])
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_blank_lines_press_but_do_not_answer(heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", lines=["", "小林", "", "A", ""])
    assert ran.returncode == 0
    assert ran.stdout.count("\n>") == 3


def test_input_that_runs_out_leaves_a_session_to_go_on_with(heartrule: Command) -> None:
    left = heartrule("chat", "hello.yaml", lines=["小林"])
    assert left.returncode == 3
    assert "输入到此为止" in left.stdout
    command = re.search(r"heartrule chat --resume (\w+)", left.stdout)
    assert command is not None

    back = heartrule("chat", "--resume", command[1], lines=["B", "/vars", "我们继续吧"])
    assert back.returncode == 0, back.stdout + back.stderr
    assert "AI: 小林，这两周常觉得没意思吗？" in back.stdout
    assert "称呼\t小林" in back.stdout

    again = heartrule("chat", "--resume", command[1])
    assert again.returncode == 1
    assert "已经结束" in again.stderr


def test_the_latest_is_gone_on_with_when_none_is_named(heartrule: Command) -> None:
    assert heartrule("chat", "--resume").returncode == 1
    heartrule("chat", "hello.yaml", lines=["小林"])
    heartrule("chat", "hello.yaml", lines=["小王"])
    back = heartrule("chat", "--resume", lines=["A", ""])
    assert back.returncode == 0
    assert "小王" in back.stdout
    assert "小林" in heartrule("chat", "--resume").stdout


@pytest.mark.parametrize("wanted", ["zzzz", "../../etc"])
def test_a_session_that_is_not_there(wanted: str, heartrule: Command) -> None:
    ran = heartrule("chat", "--resume", wanted)
    assert ran.returncode == 1
    assert wanted in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_way_back_leads_to_the_same_folder(heartrule: Command) -> None:
    elsewhere = heartrule.folder / "other place"
    left = heartrule("chat", "hello.yaml", "--data", str(elsewhere), lines=["小林"])
    command = re.search(r"heartrule (chat --resume .+)", left.stdout)
    assert command is not None
    assert heartrule(*shlex.split(command[1]), lines=["A", ""]).returncode == 0


@pytest.mark.parametrize(
    ("called", "told"),
    [
        ("{bin}/heartrule", "bin/heartrule"),
        ("bin/heartrule", "bin/heartrule"),
        ("{root}/elsewhere/heartrule", "{root}/elsewhere/heartrule"),
        ("{root}/heartrule/__main__.py", "python -m heartrule"),
    ],
)
def test_what_we_tell_people_to_type_works_where_they_are(
    called: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    (here / "bin").mkdir(parents=True)
    program_file = here / "bin" / "heartrule"
    program_file.write_text("#!/bin/sh\n", encoding="utf-8")
    program_file.chmod(0o755)
    monkeypatch.chdir(here)
    monkeypatch.setattr("sys.argv", [called.format(bin=here / "bin", root=tmp_path)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert program.name() == told.format(root=tmp_path)
    monkeypatch.setenv("PATH", str(here / "bin"))
    assert program.name() == ("heartrule" if told == "bin/heartrule" else told.format(root=tmp_path))


def test_commands_work_from_a_pipe(heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", lines=["/help", "小林", "/vars", "/where", "/why", "/quit"])
    assert ran.returncode == 3
    assert "/vars" in ran.stdout
    assert "称呼\t小林" in ran.stdout
    assert "阶段：心情" in ran.stdout
    assert "动作：pick" in ran.stdout


@pytest.mark.parametrize("rest", [[], ["/quit"]])
def test_whoever_leaves_in_a_crisis_is_given_the_numbers_once_more(rest: list[str], heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", lines=["我不想活了", *rest])
    assert ran.returncode == 3
    last = ran.stdout.rsplit("要走之前", 1)
    assert len(last) == 2
    for number in ("12356", "110", "120"):
        assert number in last[1]
    assert "我不想活了" not in heartrule("chat", "--resume", lines=["/vars"]).stdout.partition("> /vars")[2]


def test_whoever_leaves_otherwise_is_not(heartrule: Command) -> None:
    assert "要走之前" not in heartrule("chat", "hello.yaml", lines=["小林", "/quit"]).stdout


def test_ending_for_good(heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", lines=["/end"])
    assert ran.returncode == 0
    assert heartrule("chat", "--resume").returncode == 1


def test_variables_given_at_the_start(heartrule: Command) -> None:
    declared = "{var: 来源, define: 谁介绍来的, type: text}\n      - {var: 次数, define: 来过几次, type: integer}"
    script = (heartrule.folder / "hello.yaml").read_text(encoding="utf-8")
    (heartrule.folder / "given.yaml").write_text(
        script.replace("declare:\n", f"declare:\n      - {declared}\n"), "utf-8"
    )
    ran = heartrule("chat", "given.yaml", "--set", "来源=同事介绍", "--set", "次数=2", lines=["/vars"])
    assert "来源\t同事介绍" in ran.stdout
    assert "次数\t2" in ran.stdout
    for given, named in (("次数=两次", "次数"), ("年龄=3", "年龄")):
        ran = heartrule("chat", "given.yaml", "--set", given)
        assert ran.returncode == 2, ran.stdout
        assert named in ran.stderr
        assert ran.stdout == ""


@pytest.mark.parametrize("text", ["来源", "=值", ""])
def test_a_variable_that_is_written_wrongly(text: str, heartrule: Command) -> None:
    ran = heartrule("chat", "hello.yaml", "--set", text)
    assert ran.returncode == 2
    assert "名=值" in ran.stderr


def test_what_does_not_go_together(heartrule: Command) -> None:
    assert heartrule("chat").returncode == 2
    assert "heartrule scripts" in heartrule("chat").stderr
    assert heartrule("chat", "--resume", "--locale", "en").returncode == 2


@pytest.mark.parametrize("script", ["nowhere.yaml", "cbt/nothing", "nothing", "hello.yaml#other", ""])
def test_a_script_that_is_not_there(script: str, heartrule: Command) -> None:
    ran = heartrule("chat", script)
    assert ran.returncode in (1, 2)
    assert ran.stderr.strip()
    assert "Traceback" not in ran.stderr


def test_a_script_with_errors_is_not_held(heartrule: Command) -> None:
    broken = (heartrule.folder / "hello.yaml").read_text(encoding="utf-8").replace("type: ask\n", "type: aks\n")
    (heartrule.folder / "broken.yaml").write_text(broken, encoding="utf-8")
    ran = heartrule("chat", "broken.yaml")
    assert ran.returncode == 1
    assert re.search(r"broken\.yaml:\d+:\d+: 错误 E\d+", ran.stderr)


def test_english_by_request_and_by_the_environment(heartrule: Command) -> None:
    assert "Script mode" in heartrule("chat", "hello.yaml", "--lang", "en").stdout
    heartrule.environment = {"LANG": "en_US.UTF-8"}
    assert "There is no session" in heartrule("chat", "--resume", "zzzz").stderr
    assert "脚本模式" in heartrule("chat", "hello.yaml").stdout, "a Chinese script is introduced in Chinese"


def test_a_person_who_comes_back_is_known(heartrule: Command) -> None:
    script = (heartrule.folder / "hello.yaml").read_text(encoding="utf-8")
    kept = script.replace("    declare:\n      - {var: 称呼, define: 来访者希望被怎样称呼}\n", "")
    kept += "global:\n  - {var: 称呼, type: text, scope: global, define: 怎么称呼}\n"
    (heartrule.folder / "kept.yaml").write_text(kept, encoding="utf-8")
    heartrule("chat", "kept.yaml", "--person", "lin", lines=["小林"])
    assert "称呼\t小林" in heartrule("chat", "kept.yaml", "--person", "lin", lines=["/vars"]).stdout
    assert "称呼\t小林" not in heartrule("chat", "kept.yaml", "--person", "wang", lines=["/vars"]).stdout


def test_a_session_that_cannot_be_restored_offers_a_new_one(
    heartrule: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartrule("chat", "hello.yaml", lines=["小林"])
    with monkeypatch.context() as older:
        older.setattr("heartrule.sessions.rows.LOWEST", 99)
        refused = heartrule("chat", "--resume")
    assert refused.returncode == 1
    command = re.search(r"heartrule chat (--resume \w+ --start-over)", refused.stderr)
    assert command is not None
    anew = heartrule("chat", *command[1].split(), lines=["/vars", "小林", "A", ""])
    assert anew.returncode == 0, anew.stdout + anew.stderr
    assert "AI: 怎么称呼你？" in anew.stdout


def test_odd_bytes_are_words_too(heartrule: Command) -> None:
    odd = b"\xff\xfe\x1b[2J{%who%}${x}$&\n" + "长".encode() * 350_000 + b"\n"
    ran = heartrule.alone("chat", "hello.yaml", given=odd)
    assert ran.returncode == 3, ran.stderr
    assert b"\x1b" not in ran.stdout


def test_nobody_reads_what_is_said(heartrule: Command) -> None:
    with heartrule.running("chat", "hello.yaml") as running:
        assert running.stdout is not None
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdout.close()
        running.stdin.close()
        error = running.stderr.read()
        running.wait(30)
    assert "Traceback" not in error


def test_ctrl_c_leaves_and_says_how_to_come_back(heartrule: Command) -> None:
    with heartrule.running("chat", "hello.yaml") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write("小林\n")
        running.stdin.flush()
        until("大多数日子", running.stdout)
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        rest, error = running.stdout.read(), running.stderr.read()
        assert running.wait(30) == 130
    assert error == ""
    assert "heartrule chat --resume" in rest
    assert heartrule("chat", "--resume", lines=["A", ""]).returncode == 0


def test_killed_at_the_prompt_nothing_is_lost(heartrule: Command) -> None:
    with heartrule.running("chat", "hello.yaml") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("小林\n")
        running.stdin.flush()
        until("大多数日子", running.stdout)
        running.kill()
    back = heartrule("chat", "--resume", lines=["/vars", "A", ""])
    assert back.returncode == 0
    assert "称呼\t小林" in back.stdout


def test_a_timeout_of_the_script_comes_while_nobody_types(heartrule: Command) -> None:
    script = (heartrule.folder / "hello.yaml").read_text(encoding="utf-8")
    timed = script.replace("id: ask_name\n", "id: ask_name\n                timeout: 1s\n")
    timed = timed.replace("timeout: 1s\n", "timeout: 1s\n                on_timeout: end\n")
    (heartrule.folder / "timed.yaml").write_text(timed, encoding="utf-8")
    with heartrule.running("chat", "timed.yaml") as running:
        assert running.stdout is not None
        assert running.wait(30) == 0
        shown = running.stdout.read()
    assert shown.index("照顾好自己") < shown.index("会谈到此结束")


def test_a_data_folder_that_cannot_be_written(heartrule: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = heartrule("chat", "hello.yaml", "--data", str(tmp_path / "file" / "data"))
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"不能使用文件夹 {tmp_path / 'file' / 'data'}：")


def test_a_model_that_is_half_configured(heartrule: Command) -> None:
    heartrule.environment = {"HEARTRULE_LLM_MODEL": "some-model"}
    ran = heartrule("chat", "hello.yaml")
    assert ran.returncode == 1
    assert "HEARTRULE_LLM_BASE_URL" in ran.stderr


def test_no_secret_of_the_address_is_shown(heartrule: Command) -> None:
    address = "http://me:very-secret@127.0.0.1:9/v1/very-secret?key=very-secret"
    heartrule.environment = {"HEARTRULE_LLM_MODEL": "some-model", "HEARTRULE_LLM_BASE_URL": address}
    ran = heartrule("chat", "hello.yaml", lines=["/quit"])
    assert "http://127.0.0.1:9。" in ran.stdout
    assert "very-secret" not in ran.stdout + ran.stderr


def test_settings_that_are_a_folder(heartrule: Command) -> None:
    (heartrule.folder / "heartrule.toml").mkdir()
    ran = heartrule("chat", "hello.yaml")
    assert ran.returncode == 1
    assert (
        ran.stderr.strip()
        == f"{heartrule.folder / 'heartrule.toml'}: this is a folder; the settings are a file of this name"
    )


def test_where_words_go_is_said_when_a_model_is_configured(heartrule: Command) -> None:
    heartrule.environment = {"HEARTRULE_LLM_MODEL": "some-model", "HEARTRULE_LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    ran = heartrule("chat", "hello.yaml", lines=["/quit"])
    assert "some-model" in ran.stdout
    assert "127.0.0.1" in ran.stdout
    assert "脚本模式" not in ran.stdout


THREE = """\
[[llm.models]]
base_url = "http://127.0.0.1:9/v1"
model = "first"
[[llm.models]]
base_url = "https://me:very-secret@second.invalid/v1?key=very-secret"
model = "second"
weight = 0
[[llm.models]]
name = "first again"
base_url = "http://127.0.0.1:9/v1"
model = "first"
[[llm.models]]
base_url = "https://third.invalid"
model = "third"
"""


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_everyone_whom_words_may_go_to_is_named_once(lang: str, heartrule: Command) -> None:
    (heartrule.folder / "heartrule.toml").write_text(THREE, encoding="utf-8")
    ran = heartrule("chat", "hello.yaml", "--lang", lang, lines=["/quit"])
    assert ran.stdout.count("http://127.0.0.1:9") == 1
    assert ran.stdout.count("https://second.invalid") == 1
    assert ran.stdout.count("https://third.invalid") == 1
    assert ran.stdout.index("third.invalid") < ran.stdout.index("second.invalid"), "who only stands in comes last"
    assert "very-secret" not in ran.stdout + ran.stderr
