from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.browser.served import Served
from tests.server.material import SECRET, project


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A real server in a process of its own."""
    folder = tmp_path_factory.mktemp("client")
    made = Served(folder, projects=[project(folder)], environment={"HEARTRULE_EMBED_SECRET": SECRET})
    with made:
        yield made
