"""Which files of a folder are part of a project, and as what."""

from __future__ import annotations

from heartrule.language.projects.knowledge_files import is_document

PROJECT_FILE = "project.yaml"
PACKAGE_FILE = "package.yaml"
"""What a package of the project is called, and what it requires; no script."""
SCRIPTS = (".yaml", ".yml")
TESTS = (".test.yaml", ".test.yml")
"""Conversations held against scripts, wherever they lie."""
RISK_FILE = ".risk.jsonl"
"""How the files of labelled sentences end that a project's awareness is held against; in ``tests/``."""


def belongs(path: str) -> bool:
    """Whether a file of a project is one of its scripts, its prompts, or what they are told from: no test."""
    inside = path.split("/")
    if any(part.startswith(".") for part in inside) or (inside[0] == "tests" and len(inside) > 1):
        return False
    if path == PACKAGE_FILE:
        return False
    return inside[0] == "prompts" or is_document(path) or (path.endswith(SCRIPTS) and not path.endswith(TESTS))
