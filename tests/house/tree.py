"""The project's own tree as the tests of the house read it."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "heartrule"
TESTS = ROOT / "tests"
WEB = ROOT / "web"


def modules(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def scripts(*, tests: bool) -> list[Path]:
    """The modules of the web app's parts that are written by hand, or their tests."""
    own = (path for path in tracked() if path.is_relative_to(WEB) and path.suffix in (".ts", ".tsx", ".js", ".css"))
    return [path for path in own if path.name != "api.ts" and tests == (".test." in path.name or "test" in path.parts)]


def lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


@cache
def tracked() -> tuple[Path, ...]:
    """Files under version control, or that would be: untracked and not ignored ones count too."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return tuple(path for name in names if name and (path := ROOT / name).is_file())


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> Iterator[str]:
    """Every module name that this file imports, anywhere in it; typing-only imports included."""
    package = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
