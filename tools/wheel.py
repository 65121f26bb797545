"""What is built into the wheel besides the package: the library, and the web app, which must have been built before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WithWebApp(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = Path(self.root, "library")
        if version == "editable":
            build_data["force_include_editable"] = {str(library): "heartrule/_library"}
            return
        built = Path(self.root, "web", "apps", "visitor", "dist")
        if not (built / "index.html").is_file():
            raise SystemExit("The web app is not built, and the wheel carries it. Run: make wheel")
        build_data["force_include"] |= {str(library): "heartrule/_library", str(built): "heartrule/_web"}
