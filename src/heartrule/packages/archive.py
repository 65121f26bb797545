"""A package as one file: a zip archive with every file's fingerprint, and a signature over all of them.

``package.json`` says what the package is and lists the SHA-256 of each file; ``signature.json`` holds the public key
and the signature over the bytes of ``package.json``; the files lie under ``files/``. The same project and the same key
make the same bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Annotated, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heartrule.language.bilingual import Bilingual, SaidError
from heartrule.packages.capabilities import Capabilities
from heartrule.packages.manifest import Manifest
from heartrule.signing import holds, public, sign

SUFFIX = ".heartrule"
LARGEST = 20_000_000
"""Bytes of an archive, and of all that is in one."""
MOST_FILES = 2_000
_KINDS = "yaml yml md txt json jsonl csv png jpg jpeg webp gif mp3 m4a ogg opus wav vtt"
KINDS = frozenset(f".{each}" for each in _KINDS.split())
"""What a package may hold. Nothing of it is ever executed."""
_ABOUT, _SIGNATURE, _FILES = "package.json", "signature.json", "files/"
_EPOCH = (1980, 1, 1, 0, 0, 0)


class BadPackage(SaidError):
    """It cannot be trusted, or not be read."""


class About(BaseModel):
    """``project`` is the id under which scripts name it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    format: Literal[1] = 1
    project: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
    manifest: Manifest
    capabilities: Capabilities
    files: dict[str, Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]]


class _Signed(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    key: Annotated[str, Field(max_length=64)]
    signature: Annotated[str, Field(max_length=128)]


@dataclass(frozen=True, slots=True)
class Package:
    """``key`` is the public key that it was signed with, ``digest`` the SHA-256 of the archive."""

    about: About
    files: Mapping[str, bytes]
    key: str
    digest: str


def pack(about: About, files: Mapping[str, bytes], key: Ed25519PrivateKey) -> bytes:
    """Raises ``BadPackage`` for files that may not be in one."""
    _allowed(files)
    told = about.model_copy(update={"files": {path: sha256(files[path]).hexdigest() for path in sorted(files)}})
    first = json.dumps(told.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True).encode()
    second = json.dumps({"key": public(key), "signature": sign(key, first)}, indent=1).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in [(_ABOUT, first), (_SIGNATURE, second), *((_FILES + p, files[p]) for p in sorted(files))]:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unpack(raw: bytes) -> Package:
    """What is in an archive, after its signature and every fingerprint were found to hold. Raises ``BadPackage``."""
    if len(raw) > LARGEST:
        raise BadPackage(Bilingual("包太大了。", "The package is too large."))
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = _entries(archive)
            content = {name: archive.read(info) for name, info in entries.items()}
        about = About.model_validate_json(content.get(_ABOUT, b""))
        signed = _Signed.model_validate_json(content.get(_SIGNATURE, b""))
    except (zipfile.BadZipFile, ValidationError, ValueError, RuntimeError, OSError, EOFError):
        raise BadPackage(Bilingual("这不是一个能读的包。", "This is no package that can be read.")) from None
    if not holds(signed.key, signed.signature, content[_ABOUT]):
        raise BadPackage(Bilingual("签名和内容对不上。", "The signature does not belong to what is in it."))
    files = {name.removeprefix(_FILES): each for name, each in content.items() if name.startswith(_FILES)}
    _allowed(files)
    if {path: sha256(each).hexdigest() for path, each in files.items()} != about.files:
        raise BadPackage(Bilingual("文件和清单上的指纹对不上。", "Files do not have the fingerprints that are listed."))
    return Package(about, files, signed.key, sha256(raw).hexdigest())


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """By name, none twice; what they say their sizes are is what is read of them at most."""
    infos = archive.infolist()
    named = {info.filename: info for info in infos}
    if len(named) != len(infos) or len(infos) > MOST_FILES + 2 or sum(info.file_size for info in infos) > LARGEST:
        raise ValueError("too much, or twice the same name")
    if any(name not in (_ABOUT, _SIGNATURE) and not name.startswith(_FILES) for name in named):
        raise ValueError("something else")
    return named


def _allowed(files: Mapping[str, bytes]) -> None:
    if len(files) > MOST_FILES or sum(map(len, files.values())) > LARGEST:
        raise BadPackage(Bilingual("文件太多或太大。", "There are too many files, or they are too large."))
    folded = [path.casefold() for path in files]
    for path in files:
        parts = path.split("/")
        plain = "\\" not in path and ":" not in path and path.isprintable() and len(path) <= 200
        if not plain or any(part in ("", ".", "..") or part.startswith(".") for part in parts):
            raise BadPackage(
                Bilingual(f"包里不能有这样的路径：{path!r}。", f"A package may not hold the path {path!r}.")
            )
        if PurePosixPath(path).suffix.lower() not in KINDS:
            raise BadPackage(Bilingual(f"包里不能有这种文件：{path}。", f"A package may not hold such a file: {path}."))
    if len(set(folded)) != len(folded):
        raise BadPackage(Bilingual("有两个文件只差大小写。", "Two files differ in upper and lower case only."))
