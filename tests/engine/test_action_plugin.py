"""An action type that comes in a package of its own: found by its entry point, checked by the loader, run by the
engine.

The example package is not installed; a ``.dist-info`` folder on the path stands for that, as an installer would write.
"""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from tests.engine.minds import acknowledgements, last, out
from tests.engine.scripts import check, faults, roundtrip

from heartrule.cli.faults import told_of
from heartrule.cli.words import Language, Words
from heartrule.engine import installed_types as actions
from heartrule.language.findings import Refused
from heartrule.language.schema import json_schema
from heartrule.testing import talk as talks
from heartrule.testing.talk import Talk, compile_text

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"
SCRIPT = """
sessions:
  - session: 复述
    id: recap
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 一
            id: one
            actions:
              - {type: set_var, var: 事情, value: 开会被说了几句}
              - {type: set_var, var: 心情, value: 7}
              - type: recap
                id: back
                content: 我记下了这些：
                variables: [事情, 心情, 没有的]
                confirm: 记对了
                question: 记得对吗？
              - {type: ask, id: after, content: 那我们往下说？}
"""
Install = Callable[..., None]


def announce(folder: Path, name: str, points: dict[str, str]) -> None:
    """What an installer leaves behind of a package."""
    info = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n", encoding="utf-8")
    lines = "".join(f"{key} = {value}\n" for key, value in points.items())
    (info / "entry_points.txt").write_text(f"[{actions.GROUP}]\n{lines}", encoding="utf-8")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts the example, or a package with other entry points, on the path; afterwards everything is as before."""
    monkeypatch.setattr(talks, "_SHARED", [])
    modules = set(sys.modules)

    def put_there(points: dict[str, str] | None = None, source: str = "", name: str = "") -> None:
        declared = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        name = name or declared["name"]
        announce(tmp_path / name, name, points or declared["entry-points"][actions.GROUP])
        if source:
            (tmp_path / name / f"{name.replace('-', '_')}.py").write_text(source, encoding="utf-8")
        else:
            monkeypatch.syspath_prepend(str(EXAMPLE))
        monkeypatch.syspath_prepend(str(tmp_path / name))
        forget()

    def forget() -> None:
        importlib.invalidate_caches()
        actions.installed.cache_clear()
        actions.field_models.cache_clear()

    yield put_there
    monkeypatch.undo()
    for module in set(sys.modules) - modules:
        if module.startswith(("heartrule_", "other_")):
            del sys.modules[module]
    forget()


def test_without_the_package_the_type_is_unknown() -> None:
    assert "recap" not in actions.installed()
    with pytest.raises(Refused) as refused:
        compile_text(SCRIPT)
    assert "recap" in str(refused.value)


def test_with_the_package_a_script_may_use_it(install: Install) -> None:
    install()
    assert {entry.name for entry in entry_points(group=actions.GROUP)} >= {"recap", "ai_ask"}
    talk = Talk(SCRIPT)
    assert talk.said == ["我记下了这些：\n- 事情：开会被说了几句\n- 心情：7\n记得对吗？"]
    assert (talk.at, talk.request.kind) == ("back", "message")
    roundtrip(talk)
    talk.say("对的")
    assert last(talk, "记对了") is True
    assert talk.at == "after"
    assert acknowledgements(talk) == 1
    check(talk)
    assert faults(talk) == []


def test_it_asks_again_once_and_is_interrupted_like_any_other(install: Install) -> None:
    install()
    talk = Talk(SCRIPT)
    talk.say("这个嘛")
    assert talk.said == ["记得对吗？"]
    talk.say("我不想活了")
    for words in ("没有",) * 3:
        talk.say(words)
    out(talk)
    assert talk.at == "back"
    assert talk.said[-1].endswith("记得对吗？")
    talk.say("这个嘛")
    assert talk.at == "after"
    assert last(talk, "记对了") is None


@pytest.mark.parametrize(
    ("field", "written"), [("variables", "variables: 事情"), ("varaibles", "varaibles: [事情]"), ("content", "")]
)
def test_the_loader_checks_its_fields(install: Install, field: str, written: str) -> None:
    install()
    lines = SCRIPT.splitlines()
    place = next(
        n for n, line in enumerate(lines) if line.strip().startswith("variables" if "v" in field else "content: 我")
    )
    lines[place] = " " * 16 + written
    with pytest.raises(Refused) as refused:
        compile_text("\n".join(lines))
    assert field in str(refused.value)


def test_it_is_in_the_schema(install: Install) -> None:
    install()
    assert '"recap"' in str(json_schema(actions.field_models())).replace("'", '"')


@pytest.mark.parametrize("order", [("recap", "other"), ("other", "recap")])
def test_two_packages_that_claim_one_name_are_refused_by_name(install: Install, order: tuple[str, str]) -> None:
    rival = "from heartrule_recap import Recap\nclass Rival(Recap):\n    pass\nRIVAL = Rival()\n"
    for name in order:
        if name == "recap":
            install()
        else:
            install({"recap": "other_recap:RIVAL"}, source=rival, name="other-recap")
    with pytest.raises(actions.Unloadable, match="recap") as refused:
        actions.installed()
    assert "heartrule_recap:RECAP" in str(refused.value)
    assert "other_recap:RIVAL" in str(refused.value)


def test_a_package_may_not_take_the_place_of_a_type_of_ours(install: Install) -> None:
    source = "from heartrule.engine.actions.say import Say\nclass Mine(Say):\n    pass\nMINE = Mine()\n"
    install({"mine": "other_say:MINE"}, source=source, name="other-say")
    with pytest.raises(actions.Unloadable, match="say"):
        actions.installed()


def test_the_same_type_found_twice_is_one(install: Install) -> None:
    install()
    install({"again": "heartrule_recap:RECAP"}, source="", name="other-again")
    assert actions.installed()["recap"].name == "recap"


def test_an_entry_point_that_is_no_action_type_is_refused(install: Install) -> None:
    install({"thing": "other_thing:THING"}, source="THING: object = 5\n", name="other-thing")
    with pytest.raises(actions.Unloadable, match="other_thing:THING"):
        actions.installed()


@pytest.mark.parametrize(
    "source",
    ["import nothing_of_this_name\nTHING = 5\n", "raise RuntimeError('a licence is missing')\n", "OTHER = 5\n"],
)
def test_an_entry_point_that_cannot_be_imported_names_itself_and_its_package(install: Install, source: str) -> None:
    install({"thing": "other_thing:THING"}, source=source, name="other-thing")
    with pytest.raises(actions.Unloadable, match="other_thing:THING") as refused:
        actions.installed()
    for word in ("thing", "other-thing", "uninstall"):
        assert word in refused.value.told.en
    assert "other-thing" in refused.value.told.zh


def test_a_command_says_which_package_keeps_it_from_working(install: Install, tmp_path: Path) -> None:
    install({"thing": "other_thing:THING"}, source="import nothing_of_this_name\n", name="other-thing")
    with pytest.raises(actions.Unloadable) as refused:
        actions.installed()
    spoken: tuple[tuple[Language, str], ...] = (("zh", "卸载"), ("en", "uninstall"))
    for language, words in spoken:
        told = told_of(refused.value, Words(language))
        assert words in told
        assert "other_thing:THING" in told
        assert "nothing_of_this_name" in told
        assert "reference" not in told


def test_the_example_is_announced_as_it_says() -> None:
    declared: dict[str, Any] = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    ((name, target),) = declared["project"]["entry-points"][actions.GROUP].items()
    module, _, attribute = target.partition(":")
    assert (EXAMPLE / f"{module}.py").is_file()
    assert f"{attribute} = " in (EXAMPLE / f"{module}.py").read_text(encoding="utf-8")
    assert name == "recap"


def test_that_the_package_itself_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "entry_points", lambda group: ())
    actions.installed.cache_clear()
    try:
        with pytest.raises(actions.NotInstalled) as refused:
            actions.installed()
    finally:
        actions.installed.cache_clear()
    assert "pip install -e ." in refused.value.told.zh
    assert "not installed in this Python" in refused.value.told.en
