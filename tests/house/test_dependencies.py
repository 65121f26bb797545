"""What we import is what we declare, and the other way round."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

from packaging.utils import canonicalize_name
from tests.house.tree import ROOT, SOURCE, imports, modules

OPTIONAL = {"psycopg", "pydantic-ai-slim", "pydantic-core", "starlette"}
"""In the extras ``postgres`` and ``vendors``; part of pydantic; part of FastAPI."""
READ = {"tzdata", "websockets"}
"""Of the standard library's ``zoneinfo``, on systems that have no time zones; of uvicorn."""


def test_every_dependency_is_declared_and_used() -> None:
    declared = {
        canonicalize_name(re.split(r"[<>=\[ ;]", line)[0])
        for line in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    }
    owners = packages_distributions()
    used: set[str] = set()
    for path in modules(SOURCE):
        for name in imports(path):
            top = name.partition(".")[0]
            if top and top not in sys.stdlib_module_names and top != "heartrule":
                assert top in owners, f"{path.relative_to(ROOT)} imports {top}, which is not installed"
                owned = {canonicalize_name(each) for each in owners[top]}
                used |= (owned & declared) or {min(owned)}
    assert used - declared <= OPTIONAL, "imported but not declared in pyproject.toml"
    assert declared - used - READ == set(), "declared in pyproject.toml but imported nowhere"
