"""E306: a file of ``knowledge`` that cannot be used. W307: more of it than a prompt holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Project, Session
from heartrule.language.nodes.node import Node
from heartrule.language.projects.knowledge_files import LARGEST, Problem, named, problem_of, room

_WHY: Mapping[Problem, Bilingual] = {
    "missing": Bilingual("项目的文件夹里没有这个文件", "there is no such file in the project's folder"),
    "type": Bilingual("只能是 .md 或 .txt 文件", "only .md and .txt files are read"),
    "path": Bilingual(
        "路径要从项目的文件夹写起，用 /，不在 prompts、tests 里",
        "the path is written from the project's folder on, with /, and does not lead into prompts or tests",
    ),
    "size": Bilingual(f"文件太大，最大 {LARGEST // 1_000} kB", f"it is too large, {LARGEST // 1_000} kB at most"),
}


def check(view: View) -> Iterator[Finding]:
    yield from _unusable(view, view.project.node, view.project.node.knowledge)
    for session in view.project.sessions:
        yield from _unusable(view, session, session.knowledge)
        yield from _too_much(view, session)


def _unusable(view: View, node: Node, paths: list[str]) -> Iterator[Finding]:
    for index, path in enumerate(paths):
        problem = _problem(view, path)
        if problem:
            place = view.project.at(node, "knowledge", index, value=True)
            yield finding("E306", place, path=clip(path), why=_WHY[problem])


def _problem(view: View, path: str) -> Problem:
    """Where nobody has looked into the folder, it may be there."""
    known = view.project.documents.get(path)
    if known is not None:
        return known.problem
    return problem_of(path) or ("" if view.project.media is None else "missing")


def _too_much(view: View, session: Session) -> Iterator[Finding]:
    """Told where the session adds to it, else where the project names it."""
    project = view.project
    texts = [each.text for path in named(project.node, [session]) if (each := project.documents.get(path)) is not None]
    size, most = sum(map(len, texts)), room(session.locale or project.node.locale)
    if size > most:
        node: Session | Project = session if session.knowledge else project.node
        place = project.at(node, "knowledge")
        yield finding("W307", place, session=session.session, size=size, most=most)
