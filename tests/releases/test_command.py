"""Releases from the command line."""

from __future__ import annotations

from pathlib import Path

from tests.releases.material import FILES
from typer.testing import CliRunner, Result

from heartrule.cli.main import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_listed_made_and_checked(tmp_path: Path) -> None:
    folder, data = tmp_path / "sleep", str(tmp_path / "data")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    assert run("projects", "import", str(folder), "--owner", "lin", "--data", data).exit_code == 0
    made = run("releases", "new", "sleep", "--as", "lin", "--data", data, "--lang", "en")
    assert made.exit_code == 0, made.output
    release = made.output.split()[2]
    assert "The first release." in made.output
    listed = run("releases", "list", "--data", data, "--lang", "en")
    assert f"{release}  testing" in listed.output
    checked = run("releases", "check", release, "--data", data, "--lang", "en")
    assert checked.exit_code == 1
    assert "All 1 test(s) passed." in checked.output
    assert "no conversation was gone through" in checked.output
    told = run("releases", "impact", release, "--data", data, "--lang", "en")
    assert "0 session(s) are not over" in told.output
    shut = run("releases", "publish", release, "--as", "wei", "--data", data, "--lang", "en")
    assert shut.exit_code != 0
    assert run("releases", "back", "sleep", "--as", "wei", "--data", data).exit_code == 2
    assert run("releases", "check", "none-1", "--data", data).exit_code == 2
    assert len(run("releases", "key", "--data", data).output.strip()) == 44
