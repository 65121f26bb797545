"""Setting up the web app: a sentence when Node.js or npm will not do, and nothing done twice."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
import web_app
from tests.house.bare import base_python, put, setup

NPM = """\
echo "$@" >> ../calls
case "$1" in
  ci) mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json;;
  run) mkdir -p apps/visitor/dist && cat apps/visitor/page > apps/visitor/dist/index.html;;
esac
"""
"""Stands in for npm where what matters is when it is called."""


def lock(**entries: dict[str, Any]) -> str:
    packages = {"": {"name": "web"}} | {f"node_modules/{name}": entry for name, entry in entries.items()}
    return json.dumps({"name": "web", "lockfileVersion": 3, "requires": True, "packages": packages})


@pytest.fixture
def web(copy: Path, machine: Path) -> Path:
    """A small web app in a checkout whose ``.venv`` needs nothing; Python and what npm's scripts call are there."""
    put(machine, "python3", f'exec {base_python()} "$@"')
    for program in ("mkdir", "cp", "env", "sed", "uname"):
        (machine / program).symlink_to(shutil.which(program) or "")
    programs = copy / ".venv" / "bin"
    programs.mkdir(parents=True)
    put(programs, "python", "exit 0")
    asked = "import environment; print(environment.wanted('run'), end='')"
    key = subprocess.run([base_python(), "-c", asked], cwd=copy / "tools", capture_output=True, check=True).stdout
    (copy / ".venv" / ".installed-for-run").write_bytes(key)
    folder = copy / "web"
    (folder / "apps" / "visitor").mkdir(parents=True)
    (folder / "apps" / "visitor" / "page").write_text("hello", encoding="utf-8")
    scripts = {"build": "mkdir -p apps/visitor/dist && cp apps/visitor/page apps/visitor/dist/index.html"}
    (folder / "package.json").write_text(json.dumps({"name": "web", "scripts": scripts}), encoding="utf-8")
    (folder / "package-lock.json").write_text(lock(), encoding="utf-8")
    return folder


def calls(web: Path) -> list[str]:
    """What npm was called for since this was last asked."""
    path = web.parent / "calls"
    said = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return [line.split()[0] for line in said]


def with_real_npm(machine: Path) -> dict[str, str]:
    for program in ("node", "npm"):
        found = shutil.which(program)
        assert found is not None
        (machine / program).symlink_to(os.path.realpath(found))
    return {"npm_config_cache": str(machine.parent / "cache"), "npm_config_registry": "http://127.0.0.1:9"}


def depend_on(web: Path, integrity: str, **more: str) -> None:
    package = json.loads((web / "package.json").read_text(encoding="utf-8"))
    package["dependencies"] = {"leaf": more.get("resolved", "1.0.0")}
    (web / "package.json").write_text(json.dumps(package), encoding="utf-8")
    listed = json.loads(lock(leaf={"version": "1.0.0", "integrity": integrity, **more}))
    listed["packages"][""] |= {"dependencies": package["dependencies"]}
    (web / "package-lock.json").write_text(json.dumps(listed), encoding="utf-8")


def test_no_node_at_all(web: Path, machine: Path) -> None:
    ran = setup(web.parent, machine, "run")
    assert ran.returncode == 1
    assert "needs Node.js 20.19 or newer" in ran.stderr
    assert "none was found" in ran.stderr
    assert "make chat" in ran.stderr
    assert not (web / "node_modules").exists()


def test_no_node_is_said_before_anything_is_installed(copy: Path, machine: Path) -> None:
    put(machine, "python3", f'exec {base_python()} "$@"')
    ran = setup(copy, machine, "test")
    assert "needs Node.js" in ran.stderr
    assert not (copy / ".venv").exists()


def test_a_session_in_the_terminal_needs_no_node(web: Path, machine: Path) -> None:
    ran = setup(web.parent, machine, "chat")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


@pytest.mark.parametrize("version", ["v18.20.4", "v20.18.3", "v21.7.3", "v22.11.0"])
def test_a_node_that_is_too_old_is_named(web: Path, machine: Path, version: str) -> None:
    put(machine, "node", f"echo {version}")
    put(machine, "npm", NPM)
    ran = setup(web.parent, machine, "run")
    assert ran.returncode == 1
    assert f"and this machine has {version}" in ran.stderr
    assert calls(web) == []


def test_which_versions_of_node_are_new_enough() -> None:
    assert all(web_app.new_enough(*version) for version in ((20, 19), (20, 20), (22, 12), (23, 0), (24, 1)))
    assert not any(web_app.new_enough(*version) for version in ((18, 20), (20, 18), (21, 9), (22, 11)))


def test_a_node_that_does_not_start(web: Path, machine: Path) -> None:
    put(machine, "node", "echo broken >&2; exit 127")
    ran = setup(web.parent, machine, "run")
    assert ran.returncode == 1
    assert "one that does not start" in ran.stderr


def test_no_npm(web: Path, machine: Path) -> None:
    put(machine, "node", "echo v22.20.0")
    ran = setup(web.parent, machine, "run")
    assert ran.returncode == 1
    assert "built with npm" in ran.stderr


def test_it_is_built_once_for_each_state_of_its_sources(web: Path, machine: Path) -> None:
    copy = web.parent
    put(machine, "node", "echo v22.20.0")
    put(machine, "npm", NPM)
    first = setup(copy, machine, "run")
    assert first.returncode == 0, first.stderr
    assert "Building the web app." in first.stdout
    assert calls(web) == ["ci", "run"]

    (machine / "node").unlink()
    again = setup(copy, machine, "run")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", ""), "built, it needs no node any more"
    assert calls(web) == []

    put(machine, "node", "echo v22.20.0")
    (web / "apps" / "visitor" / "page").write_text("changed", encoding="utf-8")
    assert setup(copy, machine, "run").returncode == 0
    assert calls(web) == ["run"]
    assert (web / "apps/visitor/dist/index.html").read_text(encoding="utf-8") == "changed"

    (web / "apps/visitor/dist/index.html").write_text("built from something else", encoding="utf-8")
    assert setup(copy, machine, "run").returncode == 0
    assert calls(web) == ["run"]

    (web / "package-lock.json").write_text(lock(leaf={"version": "1.0.0", "integrity": "x"}), encoding="utf-8")
    assert setup(copy, machine, "run").returncode == 0
    assert calls(web) == ["ci", "run"]


def test_what_is_for_other_machines_may_be_absent(web: Path, machine: Path) -> None:
    put(machine, "node", "echo v22.20.0")
    put(machine, "npm", NPM)
    assert setup(web.parent, machine, "run").returncode == 0
    elsewhere = {"version": "1.0.0", "integrity": "x", "optional": True}
    (web / "package-lock.json").write_text(lock(elsewhere=elsewhere), encoding="utf-8")
    calls(web)
    assert setup(web.parent, machine, "run").returncode == 0
    assert calls(web) == ["run"]


def test_a_build_that_fails_says_what_npm_said_and_is_tried_again(web: Path, machine: Path) -> None:
    put(machine, "node", "echo v22.20.0")
    put(machine, "npm", 'case "$1" in run) echo "npm error page: no such thing" >&2; exit 1;; esac\n' + NPM)
    for _ in range(2):
        ran = setup(web.parent, machine, "run")
        assert ran.returncode == 1
        assert "Building the web app failed. npm says:\nnpm error page: no such thing" in ran.stderr
        assert "Traceback" not in ran.stderr


def test_the_real_npm_builds(web: Path, machine: Path) -> None:
    ran = setup(web.parent, machine, "run", **with_real_npm(machine))
    assert ran.returncode == 0, ran.stderr
    assert (web / "apps/visitor/dist/index.html").read_text(encoding="utf-8") == "hello"


def test_no_network(web: Path, machine: Path) -> None:
    depend_on(web, "sha512-" + "A" * 86 + "==")
    ran = setup(web.parent, machine, "run", **with_real_npm(machine))
    assert ran.returncode == 1
    assert "no connection to a package registry" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_package_that_is_not_the_one_we_locked(web: Path, machine: Path) -> None:
    inside = json.dumps({"name": "leaf", "version": "1.0.0"}).encode()
    with tarfile.open(web / "leaf-1.0.0.tgz", "w:gz") as archive:
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(inside)
        archive.addfile(entry, io.BytesIO(inside))
    assert hashlib.sha512((web / "leaf-1.0.0.tgz").read_bytes()).digest() != bytes(64)
    depend_on(web, "sha512-" + "A" * 86 + "==", resolved="file:leaf-1.0.0.tgz")
    ran = setup(web.parent, machine, "run", **with_real_npm(machine))
    assert ran.returncode == 1
    assert "did not match the fingerprint in web/package-lock.json" in ran.stderr
