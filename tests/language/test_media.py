"""Pictures and recordings of a project: which may be shown is known when it is loaded, and said where it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.material import ACTIONS, at, linted, loaded, only, session

from heartrule.language.linting.lint import lint
from heartrule.language.projects.media_files import LARGEST, host_of, media_in, problem_of

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
FILES = {
    "pictures/abc.png": PNG,
    "pictures/大.PNG": PNG,
    "pictures/lying.png": b"<svg onload=alert(1)>",
    "pictures/large.jpg": b"\xff\xd8\xff" + bytes(LARGEST["picture"]),
    "pictures/moving.gif": b"GIF89a",
    "sounds/calm.mp3": b"ID3" + bytes(20),
    ".hidden/a.png": PNG,
    "inner/project.yaml": b"id: inner\n",
    "inner/a.png": PNG,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    for path, content in {"project.yaml": b"id: shown\nmedia_hosts: [pictures.example]\n", **FILES}.items():
        place = made / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    (tmp_path / "outside.png").write_bytes(PNG)
    (made / "pictures" / "link.png").symlink_to(tmp_path / "outside.png")
    return made


def test_only_what_belongs_to_the_project_is_found(folder: Path) -> None:
    found = media_in(folder)
    assert {path: file.problem for path, file in found.items()} == {
        "pictures/abc.png": "",
        "pictures/大.PNG": "",
        "pictures/lying.png": "content",
        "pictures/large.jpg": "size",
        "sounds/calm.mp3": "",
    }
    assert found["sounds/calm.mp3"].format.mime == "audio/mpeg"


def test_an_unreadable_file_is_not_shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(Path, "open", broken)
    assert media_in(folder)["pictures/abc.png"].problem == "missing"


WRONG = [
    ("pictures/none.png", "E280"),
    ("pictures/lying.png", "E280"),
    ("pictures/large.jpg", "E280"),
    ("pictures/moving.gif", "E280"),
    ("pictures/link.png", "E280"),
    ("inner/a.png", "E280"),
    (".hidden/a.png", "E280"),
    ("../outside.png", "E280"),
    ("/etc/outside.png", "E280"),
    ("pictures//abc.png", "E280"),
    (r"pictures\\abc.png", "E280"),
    ("sounds/calm.mp3", "E280"),
    ("https://elsewhere.example/a.png", "E281"),
    ("http://pictures.example/a.png", "E281"),
    ("https://pictures.example@elsewhere.example/a.png", "E281"),
    ("https://user:word@pictures.example/a.png", "E281"),
    ("https://pictures.example:8443/a.png", "E281"),
    ("https://pictures.example/a.svg", "E281"),
    ("data://pictures.example/a.png", "E281"),
]


@pytest.mark.parametrize(("source", "code"), WRONG)
def test_what_may_not_be_shown_is_said_at_its_place(folder: Path, source: str, code: str) -> None:
    text = session(f'- type: show_pic\n  picture: "{source}"\n  alt: 三个方框')
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    assert at(lint([folder], ACTIONS)) == [(code, 9)]


@pytest.mark.parametrize("source", ["pictures/none.png", "sounds/calm.mp3", "//a.png"])
def test_the_picture_of_a_role_is_looked_at_wherever_it_is_written(folder: Path, source: str) -> None:
    role = f"roles:\n  - role: ai\n    name: 小禾\n    picture: {source}\n"
    (folder / "roles.yaml").write_text(role, encoding="utf-8")
    (folder / "project.yaml").write_text(f"id: shown\n{role}", encoding="utf-8")
    assert sorted((each.code, each.line) for each in lint([folder], ACTIONS)) == [("E280", 4), ("E280", 5)]
    for name in ("roles.yaml", "project.yaml"):
        text = (folder / name).read_text(encoding="utf-8").replace(source, "pictures/abc.png")
        (folder / name).write_text(text, encoding="utf-8")
    assert lint([folder], ACTIONS) == []


@pytest.mark.parametrize("source", ["pictures/abc.png", "pictures/大.PNG", "https://pictures.example/x/a.png"])
def test_what_may_be_shown_loads(folder: Path, source: str) -> None:
    steps = f"[{{say: 看, picture: {{src: '{source}', alt: 图}}, audio: {{src: sounds/calm.mp3, transcript: 静}}}}]"
    guide = f"- {{type: ai_guide, exercise: 看, exercise_steps: {steps}}}"
    (folder / "a.yaml").write_text(session(f"- {{type: show_pic, picture: '{source}', alt: 图}}\n{guide}"), "utf-8")
    assert not lint([folder], ACTIONS)


def test_a_step_and_what_stands_beside_words_are_looked_at_too(folder: Path) -> None:
    actions = (
        "- type: say\n  content: 听\n  audio:\n    src: pictures/abc.png\n    transcript: 静\n"
        "- type: ai_guide\n  exercise: 看\n  exercise_steps:\n    - say: 看\n      picture:\n        src: no.png\n"
        "        alt: 图"
    )
    (folder / "a.yaml").write_text(session(actions), encoding="utf-8")
    assert at(lint([folder], ACTIONS)) == [("E280", 11), ("E280", 18)]


def test_a_script_that_stands_alone_has_no_pictures(tmp_path: Path) -> None:
    alone = tmp_path / "alone.yaml"
    alone.write_text(session("- {type: show_pic, picture: a.png, alt: 图}"), encoding="utf-8")
    (tmp_path / "a.png").write_bytes(PNG)
    assert [found.code for found in lint([alone], ACTIONS)] == ["E280"]


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ("- {type: show_pic, picture: a.png}", "E102"),
        ('- {type: show_pic, picture: a.png, alt: ""}', "E105"),
        ("- {type: say, content: 听, audio: {src: a.mp3}}", "E102"),
        ("- {type: say, content: 看, chart: {variables: [], title: 图}}", "E105"),
        ("- {type: ai_guide, exercise: 吸, exercise_steps: []}", "E105"),
        ("- {type: ai_guide, exercise: 吸, exercise_steps: [{say: 吸, pacer: {in: 0, out: 4}}]}", "E105"),
        ("- {type: ai_guide, exercise: 吸, exercise_steps: [{say: 吸, wait: 31m}]}", "E282"),
        ("- {type: ai_guide, exercise: 吸, exercise_steps: [{say: 吸, wait: 等}]}", "E282"),
    ],
)
def test_nothing_is_shown_without_words_and_no_step_waits_for_nothing(actions: str, code: str) -> None:
    assert only(linted(session(actions))).code == code


def test_what_a_card_and_a_chart_name_is_read() -> None:
    actions = "- {type: say, content: 看, card: {title: '{甲}', items: ['{乙}']}, chart: {variables: [丙], title: 图}}"
    read = {found.message.zh for found in linted(session(actions)) if found.code in ("W210", "W211")}
    assert len(read) == 3
    assert not loaded(session(actions)).findings


def test_the_parts_of_an_address() -> None:
    assert host_of("https://pictures.example/a.png") == "pictures.example"
    assert host_of("https://[") is None
    assert problem_of("a.png", "picture", None) == ""
