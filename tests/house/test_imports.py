"""``engine`` and ``language`` know nothing of the web, a database, the network or a provider; the doors to the outside,
``server`` and ``cli``, are known to nothing beneath them."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from tests.house.tree import SOURCE, imports, modules, name_of, parsed

PURE = (
    "heartrule.checks",
    "heartrule.engine",
    "heartrule.language",
    "heartrule.locales",
    "heartrule.memory",
    "heartrule.parsing",
)
FORBIDDEN = {
    *("sqlalchemy", "alembic", "aiosqlite", "sqlite3", "psycopg", "asyncpg", "cryptography"),
    *("httpx", "httpx2", "httpcore2", "requests", "urllib3", "aiohttp", "socket", "ssl", "http", "urllib.request"),
    *("fastapi", "starlette", "uvicorn", "typer", "click", "rich", "openai", "anthropic", "structlog"),
    *("asyncio", "subprocess", "threading"),
}
NEVER_LOADED = sorted(FORBIDDEN - {"socket", "ssl", "http", "urllib.request", "asyncio", "subprocess", "threading"})
DOORS = ("heartrule.server", "heartrule.cli", "heartrule.client", "heartrule.__main__")
FOR_TESTS = "heartrule.testing"
WEB = ("fastapi", "starlette", "uvicorn", "typer", "click")
CLOCKS_AND_CHANCE = {
    *("datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.monotonic"),
    *("random.random", "random.choice", "random.randint", "uuid.uuid4", "uuid4", "os.environ", "os.getenv", "open"),
}


@cache
def own_modules() -> dict[str, set[str]]:
    """Each of our modules with what it imports."""
    return {name_of(path): set(imports(path)) for path in modules(SOURCE)}


def test_what_engine_and_language_reach_is_pure() -> None:
    graph = own_modules()
    queue = [name for name in graph if name.startswith(PURE)]
    assert len(queue) > 5
    seen: dict[str, str] = dict.fromkeys(queue, "")
    offences = []
    while queue:
        name = queue.pop()
        for target in graph[name]:
            if any(target == bad or target.startswith(f"{bad}.") for bad in FORBIDDEN):
                offences.append(f"{name} imports {target}" + (f" (reached from {seen[name]})" if seen[name] else ""))
            if target.startswith("heartrule.") and not target.startswith(PURE) and target in graph:
                offences.append(f"{name} imports {target}: outside engine and language")
            if target in graph and target not in seen:
                seen[target] = name
                queue.append(target)
    assert not offences, "\n".join(sorted(set(offences)))


def test_language_and_parsing_do_not_know_what_stands_on_them() -> None:
    offences = [
        f"{name} imports {target}"
        for name, targets in own_modules().items()
        for room, above in (("language", ("engine", "parsing")), ("parsing", ("engine",)))
        if name.startswith(f"heartrule.{room}")
        for target in targets
        if target.startswith(tuple(f"heartrule.{each}" for each in above))
    ]
    assert not offences, "\n".join(sorted(offences))


def runs(path: Path) -> set[str]:
    """What importing this file, or calling what is in it, imports: all but what only the type checker reads."""
    tree = parsed(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    return {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    }


@pytest.mark.parametrize("room", ["checks", "engine", "language", "memory", "parsing"])
def test_no_import_runs_in_a_circle(room: str) -> None:
    paths = {name_of(path): path for path in modules(SOURCE / room)}
    graph = {
        name: {own for own in runs(path) & paths.keys() if own != name and not _is_face(paths[own])}
        for name, path in paths.items()
    }
    assert sum(map(len, graph.values())) > 3
    assert list(TopologicalSorter(graph).static_order())


def _is_face(path: Path) -> bool:
    """A package's own file that defines nothing and is imported with every module of it."""
    return path.name == "__init__.py" and not any(isinstance(node, ast.FunctionDef) for node in ast.walk(parsed(path)))


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_what_is_beneath_does_not_know_the_doors() -> None:
    beneath = {name: targets for name, targets in own_modules().items() if not within(name, (*DOORS, FOR_TESTS))}
    assert "heartrule.sessions.service" in beneath
    offences = [
        f"{name} imports {target}"
        for name, targets in beneath.items()
        for target in targets
        if within(target, (*DOORS, FOR_TESTS, *WEB))
    ]
    assert not offences, "\n".join(sorted(offences))


def test_the_server_does_not_go_through_the_command_line() -> None:
    offences = [
        f"{name} imports {target}"
        for name, targets in own_modules().items()
        if within(name, ("heartrule.server",))
        for target in targets
        if within(target, ("heartrule.cli", FOR_TESTS, "typer", "click", "rich"))
    ]
    assert not offences, "\n".join(sorted(offences))


def test_the_client_needs_the_shapes_of_the_api_and_nothing_else() -> None:
    """Whoever embeds sessions does not load the server to talk to one."""
    needed = {
        target
        for name, targets in own_modules().items()
        if within(name, ("heartrule.client",))
        for target in targets
        if target.startswith("heartrule.") and not within(target, ("heartrule.client",))
    }
    assert needed == {"heartrule.server", "heartrule.server.shapes"}
    program = f"import sys, heartrule.client\nprint([name for name in {NEVER_LOADED!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(ran.stdout)) <= {"httpcore2", "cryptography"}


def test_importing_it_loads_nothing_of_the_outside() -> None:
    """In one process, which tells of everything that is there too much which of them brought it."""
    names = [name for name in own_modules() if within(name, PURE)]
    assert all(any(within(name, (package,)) for name in names) for package in PURE)
    program = (
        "import importlib, json, sys\n"
        "brought = {}\n"
        f"for name in {names!r}:\n"
        "    importlib.import_module(name)\n"
        f"    for loaded in {NEVER_LOADED!r}:\n"
        "        if loaded in sys.modules: brought.setdefault(loaded, name)\n"
        "print(json.dumps(brought))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {}


def test_the_engine_reads_no_clock_no_file_and_throws_no_dice() -> None:
    offences = []
    for path in modules(SOURCE / "engine"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call | ast.Attribute):
                written = ast.unparse(node.func if isinstance(node, ast.Call) else node)
                if written in CLOCKS_AND_CHANCE or written.endswith((".read_text", ".read_bytes")):
                    offences.append(f"{name_of(path)}:{node.lineno} {written}")
    assert not offences, "\n".join(offences)


OPTIONAL = {
    "heartrule.evals": (
        *("heartrule.cli.eval", "heartrule.cli.evaluat", "heartrule.cli.risk_output"),
        *("heartrule.cli.extract_output", "heartrule.cli.listening_output", "heartrule.cli.judge_output"),
        *("heartrule.cli.recorded_answers", "heartrule.releases.risk_files"),
        *("heartrule.debugger.risk_files", "heartrule.server.routes.debugger_risk"),
    ),
    "heartrule.script_tests.mutation": (
        "heartrule.script_tests.",
        "heartrule.cli.mutate",
        "heartrule.workbench.quality",
    ),
}
"""Parts that can be taken away, and whose only importers may be what goes with them."""


@pytest.mark.parametrize("part", OPTIONAL)
def test_what_is_optional_is_imported_by_its_own_commands_only(part: str) -> None:
    offences = [
        f"{name} imports {target}"
        for name, targets in own_modules().items()
        for target in targets
        if target.startswith(part) and not name.startswith((part, *OPTIONAL[part], "heartrule.cli.main"))
    ]
    assert not offences
