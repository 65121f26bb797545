"""What a wheel carries beside the code: the shipped library, the words of the action reference, and the web apps,
which must have been built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WithWebApp(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = Path(self.root, "library")
        texts = Path(self.root, "docs", "actions.yaml")
        if version == "editable":
            build_data["force_include_editable"] = {str(library): "heartrule/_library"}
            return
        apps = Path(self.root, "web", "apps")
        pages = {str(apps / "visitor" / "dist"): "heartrule/_web", str(apps / "staff" / "dist"): "heartrule/_web/staff"}
        if not all(Path(built, "index.html").is_file() for built in pages):
            raise SystemExit("The web app is not built, and the wheel carries it. Run: make wheel")
        build_data["force_include"] |= {
            str(library): "heartrule/_library",
            str(texts): "heartrule/_actions.yaml",
            **pages,
            str(Path(self.root, "web", "packages", "sdk", "dist", "embed")): "heartrule/_web/sdk",
        }
