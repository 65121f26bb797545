"""Every template is held to its end without a model, as it stands."""

from __future__ import annotations

import pytest
from tests.authoring.material import REGISTRY, shipped_project

from heartrule.authoring.workspace import Workspace
from heartrule.testing.talk import Talk
from heartrule.testing.visitor import Visitor
from heartrule.workbench.templates import templates, texts_of
from heartrule.workbench.trial import compiled

TURNS = 60


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
@pytest.mark.parametrize("template", [each.id for each in templates()])
def test_a_template_comes_to_its_end(template: str, locale: str) -> None:
    workspace = Workspace(texts_of(template, locale, "t"), REGISTRY, shipped_project)
    assert workspace.now.findings == ()
    (session,) = workspace.now.project.sessions
    script = compiled(workspace, session.id or "", None)
    talk, visitor = Talk(script), Visitor(script)
    for _ in range(TURNS):
        if talk.ended:
            break
        how, words = visitor.reply(talk.state, talk.request)
        if how == "form":
            raise AssertionError(words)
        talk.choose(words) if how == "choice" else talk.say(words)
    assert talk.ended
