"""The lock files carry what ``pyproject.toml`` asks for, each file by its hash, for every Python we support."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.house.tree import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock")
PYTHONS = ("3.11", "3.12", "3.13")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def entries(lock: str) -> Iterator[tuple[Requirement, list[str]]]:
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            requirement, *hashes = re.split(r"\s+--hash=", line)
            yield Requirement(requirement.strip()), [digest.strip() for digest in hashes]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_is_pinned_and_hashed(lock: str) -> None:
    for requirement, hashes in entries(lock):
        assert [part.operator for part in requirement.specifier] == ["=="], requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), requirement


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(("lock", "groups"), [(LOCKS[0], ("setup",)), (LOCKS[1], ("setup", "dev"))])
def test_every_dependency_is_there(lock: str, groups: tuple[str, ...], platform: str, python: str) -> None:
    where = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": platform}
    pinned: dict[str, str] = {}
    for requirement, _ in entries(lock):
        if requirement.marker is None or requirement.marker.evaluate(where):
            name = canonicalize_name(requirement.name)
            assert name not in pinned, f"{name} is pinned twice for {where}"
            pinned[name] = next(iter(requirement.specifier)).version
    declared = project()
    wanted = [
        *declared["project"]["dependencies"],
        *(line for group in groups for line in declared["dependency-groups"][group]),
    ]
    for line in wanted:
        requirement = Requirement(line)
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not in {lock}; run: make lock"
        assert requirement.specifier.contains(version), f"{requirement} but {version} is locked; run: make lock"


def test_the_tests_run_on_what_a_user_gets() -> None:
    run = {requirement.name: str(requirement.specifier) for requirement, _ in entries(LOCKS[0])}
    dev = {requirement.name: str(requirement.specifier) for requirement, _ in entries(LOCKS[1])}
    assert run.items() <= dev.items()
