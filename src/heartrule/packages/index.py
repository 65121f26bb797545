"""An index of packages: a folder, or the same folder on any static host, with an ``index.json`` in it."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterable
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heartrule.language.bilingual import Bilingual, SaidError
from heartrule.packages.archive import LARGEST, SUFFIX, Package, unpack
from heartrule.packages.manifest import Manifest, order, suits

FILE = "index.json"
DEADLINE = 30.0
"""Seconds for one file."""
_PLAIN = r"^[A-Za-z0-9._-]+$"


class BadIndex(SaidError):
    """It cannot be reached or read, or does not hold what is asked for. Where it lies is not said: a server tells this
    to its authors."""


class Entry(BaseModel):
    """One version. ``file`` lies beside the index; ``digest`` is the SHA-256 of the archive, ``key`` who signed it."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    manifest: Manifest
    project: str
    file: Annotated[str, Field(pattern=_PLAIN, max_length=160)]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    key: str


class _Index(BaseModel):
    packages: list[Entry] = []


class Index:
    """``place`` is a folder or an ``https:`` address (``http:`` on this machine only)."""

    def __init__(self, place: str) -> None:
        self.place = place
        self._remote = "://" in place
        if self._remote:
            parts = urlsplit(place)
            if parts.scheme != "https" and not (parts.scheme == "http" and _is_here(parts.hostname or "")):
                raise BadIndex(Bilingual("目录要用 https。", "An index is read over https."))
        self._entries: list[Entry] | None = None

    def entries(self) -> list[Entry]:
        """Every version that is there. Raises ``BadIndex``."""
        if self._entries is None:
            try:
                self._entries = _Index.model_validate_json(self._read(FILE)).packages
            except ValidationError:
                raise BadIndex(Bilingual(f"读不懂目录的 {FILE}。", f"{FILE} of the index cannot be read.")) from None
        return self._entries

    def versions(self, name: str, wanted: str = "") -> list[Entry]:
        """Those of a package that suit a range, the newest first."""
        suiting = [
            each for each in self.entries() if each.manifest.name == name and suits(each.manifest.version, wanted)
        ]
        return sorted(suiting, key=lambda each: order(each.manifest.version), reverse=True)

    def package(self, entry: Entry) -> Package:
        """Read a version whole. Raises ``BadIndex`` and ``BadPackage``."""
        raw = self._read(entry.file)
        if sha256(raw).hexdigest() != entry.digest:
            raise BadIndex(
                Bilingual(f"{entry.file} 和目录上的指纹对不上。", f"{entry.file} is not what the index says it is.")
            )
        return unpack(raw)

    def _read(self, name: str) -> bytes:
        try:
            if self._remote:
                return asyncio.run(_fetch(urljoin(self.place.rstrip("/") + "/", name)))
            return _read_file(Path(self.place) / name)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise BadIndex(Bilingual(f"读不到目录的 {name}：{why}", f"{name} of the index: {why}")) from None


def add(folder: Path, raw: bytes) -> Entry:
    """Put a package into the index in a folder, which is made where it is not there. A version is never replaced by
    another one: raises ``BadIndex``."""
    package = unpack(raw)
    manifest = package.about.manifest
    name = f"{manifest.name}-{manifest.version}{SUFFIX}"
    entry = Entry(manifest=manifest, project=package.about.project, file=name, digest=package.digest, key=package.key)
    known = Index(str(folder)).entries() if (folder / FILE).exists() else []
    same = next((each for each in known if each.file == name), None)
    if same is not None and same.digest != entry.digest:
        raise BadIndex(
            Bilingual(
                f"{name} 已经有了，内容不同；请换一个版本号。",
                f"{name} is there with other content.",
            )
        )
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / name, raw)
    kept = sorted([*(each for each in known if each.file != name), entry], key=_place)
    told = {"packages": [each.model_dump(mode="json") for each in kept]}
    _write(folder / FILE, json.dumps(told, ensure_ascii=False, indent=1).encode())
    return entry


def newest(entries: Iterable[Entry]) -> list[Entry]:
    """Of each package its newest version, by name."""
    found: dict[str, Entry] = {}
    for each in sorted(entries, key=_place):
        found[each.manifest.name] = each
    return list(found.values())


def _place(entry: Entry) -> tuple[str, object]:
    return entry.manifest.name, order(entry.manifest.version)


def _write(path: Path, raw: bytes) -> None:
    """Whole or not at all."""
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(raw)
    beside.replace(path)


def _read_file(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


async def _fetch(url: str) -> bytes:
    """A redirection is not followed: what is meant is written down. Raises ``OSError``."""
    import httpcore2

    try:
        async with asyncio.timeout(DEADLINE), httpcore2.AsyncConnectionPool() as pool:
            headers = [("Host", urlsplit(url).netloc.rpartition("@")[2]), ("User-Agent", "heartrule")]
            async with pool.stream("GET", url, headers=headers) as response:
                if response.status != 200:
                    raise OSError(0, f"status {response.status}")
                raw = bytearray()
                async for part in response.aiter_stream():
                    raw += part
                    if len(raw) > LARGEST:
                        raise OSError(0, "too large")
                return bytes(raw)
    except (TimeoutError, httpcore2.TimeoutException):
        raise OSError(0, "timeout") from None
    except (httpcore2.ConnectError, httpcore2.NetworkError, httpcore2.ProtocolError, ssl.SSLError):
        raise OSError(0, "no connection") from None
