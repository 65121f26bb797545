"""The extension for VS Code as a package that can be installed: ``build/heartrule-VERSION.vsix``. What it stands on
must lie in its ``node_modules`` (``make vsix`` puts it there)."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "editors" / "vscode"
OWN = ("package.json", "extension.js", "README.md", "syntaxes/heartrule.tmLanguage.json")
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension=".json" ContentType="application/json"/>\
<Default Extension=".js" ContentType="application/javascript"/>\
<Default Extension=".md" ContentType="text/markdown"/>\
<Default Extension=".txt" ContentType="text/plain"/>\
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id={id} Version={version} Publisher={publisher}/>
<DisplayName>{name}</DisplayName><Description xml:space="preserve">{about}</Description>
<Categories>{categories}</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/></Properties>
<License>extension/LICENSE.txt</License></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/></Assets>
</PackageManifest>
"""


def main() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    missing = [name for name in package["dependencies"] if not (EXTENSION / "node_modules" / name).is_dir()]
    if missing:
        sys.exit(f"{', '.join(missing)}: not installed. Run: make vsix")
    out = ROOT / "build" / f"heartrule-{package['version']}.vsix"
    out.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", manifest(package))
        archive.write(ROOT / "LICENSE", "extension/LICENSE.txt")
        for name, path in files():
            archive.write(path, f"extension/{name}")
    print(out.relative_to(ROOT))


def manifest(package: dict[str, object]) -> str:
    categories = package["categories"]
    assert isinstance(categories, list)
    engines = package["engines"]
    assert isinstance(engines, dict)
    return MANIFEST.format(
        id=quoteattr(str(package["name"])),
        version=quoteattr(str(package["version"])),
        publisher=quoteattr(str(package["publisher"])),
        name=escape(str(package["displayName"])),
        about=escape(str(package["description"])),
        categories=escape(",".join(map(str, categories))),
        engine=quoteattr(str(engines["vscode"])),
    )


def files() -> Iterator[tuple[str, Path]]:
    """Its own, and of what it stands on what runs."""
    yield from ((name, EXTENSION / name) for name in OWN)
    for path in sorted((EXTENSION / "node_modules").rglob("*")):
        name = path.relative_to(EXTENSION).as_posix()
        if path.is_file() and path.suffix in (".js", ".json", ".cjs", ".txt", "") and "/." not in name:
            yield name, path


if __name__ == "__main__":
    main()
