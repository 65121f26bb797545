"""Bundles: the sources a session is pinned to, each text kept once under its hash. Scripts are not personal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import bindparam, select

from heartrule.language.compiling.script import Source
from heartrule.store.codec import decode_text, encode_text
from heartrule.store.database import Tx
from heartrule.store.dialects import insert_missing
from heartrule.store.records import StoreError
from heartrule.store.schema import bundle_sources, bundles, sources

_exists = select(bundles.c.hash).where(bundles.c.hash == bindparam("bundle"))
_sources = (
    select(bundle_sources.c.project, bundle_sources.c.path, bundle_sources.c.sha256, sources.c.text)
    .join_from(bundle_sources, sources, bundle_sources.c.sha256 == sources.c.sha256)
    .where(bundle_sources.c.bundle == bindparam("bundle"))
    .order_by(bundle_sources.c.number)
)


class NoSuchBundle(StoreError):
    """No bundle of this hash was saved."""


def save(tx: Tx, bundle: str, files: Sequence[Source]) -> None:
    if tx.conn.execute(_exists, {"bundle": bundle}).scalar() is not None:
        return
    tx.conn.execute(insert_missing(tx.conn, bundles), {"hash": bundle, "created_at": datetime.now(UTC)})
    if not files:
        return
    texts = {file.sha256: encode_text(file.text) for file in files}
    tx.conn.execute(
        insert_missing(tx.conn, sources), [{"sha256": sha256, "text": text} for sha256, text in sorted(texts.items())]
    )
    tx.conn.execute(
        insert_missing(tx.conn, bundle_sources),
        [
            {"bundle": bundle, "number": number, "project": file.project, "path": file.path, "sha256": file.sha256}
            for number, file in enumerate(files)
        ],
    )


def load(tx: Tx, bundle: str) -> tuple[Source, ...]:
    rows = tx.conn.execute(_sources, {"bundle": bundle}).all()
    if not rows and tx.conn.execute(_exists, {"bundle": bundle}).scalar() is None:
        raise NoSuchBundle("no such bundle was saved")
    return tuple(Source(row.project, row.path, row.sha256, decode_text(bytes(row.text))) for row in rows)


def require(tx: Tx, bundle: str) -> None:
    if tx.conn.execute(_exists, {"bundle": bundle}).scalar() is None:
        raise NoSuchBundle("a session needs its bundle to be saved first")
