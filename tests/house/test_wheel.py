"""The wheel gives the same command: built, installed into an environment of its own, and used, without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from tests.browser.answers import hold
from tests.browser.served import Served
from tests.house.tree import ROOT, SOURCE, tracked


def run(*command: str | Path, cwd: Path = ROOT, given: str | None = None) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HEARTRULE_", "PYTHON"))}
    ran = subprocess.run(
        command,
        cwd=cwd,
        env=kept | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "LANG": "zh_CN.UTF-8"},
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that has the wheel, and our dependencies from where they are."""
    folder = tmp_path_factory.mktemp("elsewhere") / "env"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--quiet", wheel)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def test_it_holds_everything_that_is_read_at_run_time(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    for path in tracked():
        if "__pycache__" in path.parts or path.name.startswith("."):
            continue
        if path.is_relative_to(SOURCE):
            assert (Path("heartrule") / path.relative_to(SOURCE)).as_posix() in held
        elif path.is_relative_to(ROOT / "library"):
            assert (Path("heartrule/_library") / path.relative_to(ROOT / "library")).as_posix() in held
    for part in (
        "prompts/default",
        "store/migrations",
        "language/findings/diagnostics",
        "_library/safety",
        "_web/assets",
    ):
        assert any(name.startswith(f"heartrule/{part}/") for name in held)
    assert "heartrule/_actions.yaml" in held
    assert not any(name.startswith(("tests/", "docs/")) for name in held)
    assert any(name.endswith("licenses/LICENSE") for name in held)
    for app, where in (("visitor", ""), ("staff", "staff/")):
        built = ROOT / "web" / "apps" / app / "dist"
        assert (built / "index.html").is_file()
        for path in built.rglob("*"):
            assert path.is_dir() or f"heartrule/_web/{where}{path.relative_to(built).as_posix()}" in held


def test_the_command_lists_what_we_ship(installed: Path, tmp_path: Path) -> None:
    assert "cbt/first_assessment" in run(installed / "heartrule", "scripts", cwd=tmp_path)
    where = run(installed / "python", "-c", "import heartrule; print(heartrule.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_the_command_holds_a_session(installed: Path, tmp_path: Path) -> None:
    script = tmp_path / "hello.yaml"
    script.write_text(
        "sessions:\n"
        "  - session: 你好\n"
        "    id: hello\n"
        "    phases:\n"
        "      - phase: 开场\n"
        "        steps:\n"
        "          - topic: 称呼\n"
        "            actions:\n"
        "              - {type: ask, content: 怎么称呼你？}\n"
        "              - {type: say, content: 谢谢。}\n",
        encoding="utf-8",
    )
    said = run(installed / "heartrule", "chat", "hello.yaml", "--data", "data", cwd=tmp_path, given="小林\n")
    assert "AI: 谢谢。" in said
    run(installed / "heartrule", "keys", "rotate", "--data", "data", cwd=tmp_path)


def test_the_command_serves_the_web_app_without_node(installed: Path, tmp_path: Path) -> None:
    environment = {"PATH": str(installed), "HEARTRULE_DATA": str(tmp_path / "unused")}
    with Served(tmp_path, program=[installed / "heartrule"], environment=environment, cwd=tmp_path) as served:
        scripts: list[str] = []
        for address, assets in (("/", "/assets/"), ("/staff/desk", "/staff/assets/")):
            status, page, headers = served.get(address)
            assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
            scripts += (found := re.findall(r'<script[^>]* src="([^"]+)"', page.decode()))
            assert any(name.startswith(assets) for name in found)
        for name in scripts:
            status, content, headers = served.get(name)
            assert status == 200
            assert "javascript" in headers["Content-Type"]
            assert content
        session, token, said = hold(served, "cbt/first_assessment")
        transcript = served.messages(session["id"], token)
        assert [each["content"] for each in transcript if each["sender"] == "person"] == said
        assert len(said) > 20
