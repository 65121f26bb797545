"""A script as it stands in an editor, saved or not, made ready to be held."""

from __future__ import annotations

from heartrule.authoring.workspace import Workspace
from heartrule.language.compiling.compiler import compile_session
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused, finding
from heartrule.language.nodes import Place
from heartrule.language.projects.project import SAFETY
from heartrule.language.references import identity, in_locale, pick


def compiled(workspace: Workspace, session: str, locale: str | None) -> Script:
    """The script of a session of the project. Raises ``Refused`` with what is wrong in the files that it reaches."""
    now = workspace.now
    found = pick(now.project.sessions, session)
    if found is None:
        wrong = [each for each in now.findings if each.stops]
        known = ", ".join(map(identity, now.project.sessions)) or "—"
        raise Refused(wrong or [finding("E301", Place(session, 1, 1), name=session, known=known)])
    if locale is not None:
        found = in_locale(found, list(now.project.sessions), locale, now.project.node.locale)
    script, reached = compile_session(found, now.project, now.other, now.other(SAFETY))
    files = {path for owner, path in reached.files if owner == now.project.id}
    whole = bool(reached.missing) and not now.project.whole
    wrong = [each for each in now.findings if each.stops and (whole or each.file in files)]
    if wrong:
        raise Refused(wrong)
    return script
