"""Sessions written down and held again: the same to the byte, and a difference is found where it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.replays import Job, compare, first_difference, hold, jobs, names_of, record, scripts


def test_few_sessions_meet_every_script_and_visitor() -> None:
    kinds = len(scripts()) * 8 * 2
    found = jobs(kinds + 1)
    assert len({(job.script, job.persona, job.model) for job in found[:kinds]}) == kinds
    assert (found[-1].number, len({job.name for job in found})) == (2, kinds + 1)


@pytest.mark.parametrize("model", [False, True])
def test_a_session_is_the_same_every_time_and_holds_what_happened(model: bool) -> None:
    job = Job("cbt/abc_intro", "confused", model, 1)
    turns = hold(job)
    assert turns == hold(job) != hold(Job(job.script, job.persona, model, 2))
    assert any(turn["asked"] for turn in turns) == model
    assert all(any(turn[part] for turn in turns) for part in ("messages", "events", "variables"))


def test_what_differs_is_told_where_it_first_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(tmp_path, 3, 1) == 0
    assert compare(tmp_path, 1, 5) == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    name = next(iter(manifest["digests"]))
    lines = (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    turn = json.loads(lines[1])
    turn["messages"][0]["text"] = "another word"
    lines[1] = json.dumps(turn)
    (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    manifest["digests"][name] = "another"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert compare(tmp_path, 1, 5) == 1
    told = capsys.readouterr().out
    assert f"{name}\n  turn 1.messages[0].text upon " in told
    assert "was 'another word'" in told
    assert "1 of 3 sessions differ" in told


def test_a_name_that_has_changed_since_is_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(tmp_path, 1, 1) == 0
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    (name,) = manifest["digests"]
    file = tmp_path / f"{name}.jsonl"
    old = (
        file.read_text(encoding="utf-8").replace('"status":', '"standing":').replace('"kind":"message"', '"kind":"say"')
    )
    file.write_text(old, encoding="utf-8")
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "digests": {name: "another"}}), encoding="utf-8")
    assert compare(tmp_path, 1, 5) == 1
    assert compare(tmp_path, 1, 5, names_of("joint=hook_point,standing=status,kind:say=message")) == 0
    assert capsys.readouterr().out.endswith("0 of 1 sessions differ: 0 without a model, 0 with one\n")


def test_a_session_that_went_on_longer_differs_in_the_turn_that_was_not_there() -> None:
    turn = {"given": {"kind": "message", "words": [{"text": "好"}]}, "messages": []}
    assert first_difference([turn], [turn]) == ""
    assert first_difference([turn], [turn, turn]).startswith("turn 1.given upon message '好'")
