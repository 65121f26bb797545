"""A picture that was made from words, at the page: shown with its words, there again when the page is read again, and
where none could be made, what was written is said."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.test_exercise import png
from tests.browser.visiting import Visitor
from tests.llm.test_pictures import Served as Painter

from heartrule.testing.openai_server import OpenAIServer

SCRIPT = """
sessions:
  - session: 画
    id: drawing
    locale: zh-CN
    phases:
      - phase: 一
        steps:
          - topic: 画
            actions:
              - {type: ai_pic, id: river, prompt: 一条安静的河, alt: 一条河, caption: 先看一会儿, fallback: 没有河}
              - {type: ai_pic, id: hill, prompt: 一座山, alt: 山, fallback: 我们就在心里看着那座山。}
              - {type: ask, content: 看到了什么？}
"""


@pytest.fixture
def drawing(tmp_path: Path, model: OpenAIServer) -> Iterator[Served]:
    painter = Painter()
    drawn = base64.b64encode(png()).decode()
    painter.reply = lambda body: (200, {"data": [{"b64_json": drawn}]}) if "河" in body["prompt"] else (500, {})
    project = tmp_path / "project"
    project.mkdir()
    (project / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    (project / "drawing.yaml").write_text(SCRIPT, encoding="utf-8")
    pictures = f'[llm.pictures]\nbase_url = "{painter.url}"\nmodel = "painter"\n'
    environment = {
        "HEARTRULE_LLM_BASE_URL": model.url,
        "HEARTRULE_LLM_API_KEY": "loopback",
        "HEARTRULE_LLM_MODEL": "loopback-counsellor",
    }
    served = Served(tmp_path / "served", environment=environment, projects=[project])
    served.data.mkdir(parents=True)
    (served.data / "heartrule.toml").write_text(UNLIMITED + pictures, encoding="utf-8")
    with served:
        yield served
    painter.server.shutdown()
    painter.server.server_close()


def test_a_picture_made_from_words_is_shown_and_kept_and_where_there_is_none_words_are(
    drawing: Served, context: Opened
) -> None:
    page = context("phone", color_scheme="dark").new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    visitor = Visitor(page, drawing)
    visitor.script = "tests/drawing"
    visitor.begin()
    assert [words for _, words in visitor.shown()] == ["先看一会儿", "我们就在心里看着那座山。", "看到了什么？"]
    for _ in range(2):
        shown = page.locator("heart-chat figure img")
        shown.wait_for()
        assert shown.count() == 1
        assert shown.get_attribute("alt") == "一条河"
        page.wait_for_function("(img) => img.complete && img.naturalWidth === 64", arg=shown.element_handle())
        assert findings(page) == []
        assert overflow(page) == 0
        page.reload()
        visitor.awaits()
    assert told == []
