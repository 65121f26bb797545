"""What is kept of an action between turns is typed, and is read only where it belongs: an action type's own in the
type's file, what a room notes in that room."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.tree import ROOT, SOURCE, modules, parsed

from heartrule.engine.session.state import ActionFrame

ENGINE = SOURCE / "engine"


@cache
def texts() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in modules(SOURCE)}


def states() -> Iterator[tuple[Path, ast.ClassDef]]:
    for path in modules(ENGINE):
        if "(ActionState)" in texts()[path]:
            classes = [node for node in parsed(path).body if isinstance(node, ast.ClassDef)]
            yield from ((path, node) for node in classes if "ActionState" in map(ast.unparse, node.bases))


def readers(module: str, name: str) -> Iterator[Path]:
    """Whoever imports it."""
    for path, text in texts().items():
        if f"from {module} import" in text:
            imports = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.ImportFrom)]
            if any(node.module == module and name in [each.name for each in node.names] for node in imports):
                yield path.relative_to(SOURCE)


def test_a_state_is_read_where_it_belongs() -> None:
    strangers = []
    for path, node in states():
        room, module = path.relative_to(ENGINE).parts[0], ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        if room != "session":  # there stands what all that ask keep alike
            theirs = [] if room == "actions" else [f"engine/{room}/"]
            found = [each for each in readers(module, node.name) if not str(each).startswith((*theirs,))]
            strangers += [f"{each} reads {module}.{node.name}" for each in found]
    assert not strangers


def test_states_are_stored_apart() -> None:
    sections = Counter(
        ast.literal_eval(each.value)
        for _, node in states()
        for each in node.body
        if isinstance(each, ast.AnnAssign) and ast.unparse(each.target) == "section" and each.value is not None
    )
    assert len(sections) > 10
    assert max(sections.values()) == 1


def test_a_frame_is_asked_for_states_by_their_type() -> None:
    assert not [name for name, field in ActionFrame.model_fields.items() if "dict" in str(field.annotation)]
    by_hand = [
        str(path.relative_to(ROOT))
        for path, text in texts().items()
        if path.is_relative_to(ENGINE)
        and path.name != "action_state.py"
        and re.search(r"\b(frame|action)\.kept\b", text)
    ]
    assert not by_hand
