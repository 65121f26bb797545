"""The library: scripts with versions, authors and states of publication."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import Row, bindparam, select

from heartrule.store.codec import decode_clear, decode_text, encode_clear, encode_text
from heartrule.store.database import Tx
from heartrule.store.dialects import insert_missing, upsert
from heartrule.store.records import ScriptRecord
from heartrule.store.schema import scripts, sources

_CHANGING = ("type", "name", "sha256", "status", "author", "created_at", "published_at", "metadata")

_all = (
    select(scripts, sources.c.text)
    .join_from(scripts, sources, scripts.c.sha256 == sources.c.sha256)
    .order_by(scripts.c.id, scripts.c.version)
)
_newest = _all.where(scripts.c.id == bindparam("script")).order_by(None).order_by(scripts.c.version.desc()).limit(1)
_one = _newest.where(scripts.c.version == bindparam("version"))


def save(tx: Tx, record: ScriptRecord) -> None:
    """Write this version, or what changed of it."""
    text = encode_text(record.content)
    sha256 = hashlib.sha256(text).hexdigest()
    tx.conn.execute(insert_missing(tx.conn, sources), {"sha256": sha256, "text": text})
    tx.conn.execute(
        upsert(tx.conn, scripts, _CHANGING),
        {
            "id": record.id,
            "version": record.version,
            "type": record.type,
            "name": record.name,
            "sha256": sha256,
            "status": record.status,
            "author": record.author,
            "created_at": record.created_at,
            "published_at": record.published_at,
            "metadata": encode_clear(record.metadata),
        },
    )


def find(tx: Tx, script: str, version: int | None) -> ScriptRecord | None:
    """That version, or the newest."""
    if version is None:
        row = tx.conn.execute(_newest, {"script": script}).one_or_none()
    else:
        row = tx.conn.execute(_one, {"script": script, "version": version}).one_or_none()
    return None if row is None else _record(row)


def every(tx: Tx) -> tuple[ScriptRecord, ...]:
    return tuple(_record(row) for row in tx.conn.execute(_all))


def _record(row: Row[Any]) -> ScriptRecord:
    return ScriptRecord(
        id=row.id,
        version=row.version,
        type=row.type,
        name=row.name,
        content=decode_text(bytes(row.text)),
        status=row.status,
        author=row.author,
        created_at=row.created_at,
        published_at=row.published_at,
        metadata=decode_clear(row.metadata),
    )
