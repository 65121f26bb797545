"""A test over a whole table in one go: where a row costs less than setting up a test of its own for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

Rows = list[dict[str, Any]]
_SHOWN = 20


def tabled(names: str | tuple[str, ...] | list[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """As ``pytest.mark.parametrize``, but one test: every row is tried, and every row that fails is told. Stacked, it
    takes every combination. A test of this kind has no fixtures."""
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [dict(zip(columns, row if len(columns) > 1 else (row,), strict=True)) for row in rows]
    assert given, f"a table of {', '.join(columns)} without rows proves nothing"

    def over(test: Callable[..., None]) -> Any:
        one: Callable[..., None] = getattr(test, "one", test)
        tables: tuple[Rows, ...] = (*getattr(test, "tables", ()), given)

        def whole(*owner: object) -> None:
            found = (
                _tried(one, owner, {key: value for part in parts for key, value in part.items()})
                for parts in product(*tables)
            )
            wrong = [each for each in found if each is not None]
            if wrong:
                told = "\n".join(text for text, _ in wrong[:_SHOWN])
                raise AssertionError(f"{len(wrong)} rows failed\n{told}") from wrong[0][1]

        whole.__name__, whole.__qualname__ = one.__name__, one.__qualname__
        whole.__doc__, whole.__module__ = one.__doc__, one.__module__
        whole.one, whole.tables = one, tables  # type: ignore[attr-defined]
        return whole

    return over


def _tried(one: Callable[..., None], owner: tuple[object, ...], row: dict[str, Any]) -> tuple[str, Exception] | None:
    try:
        one(*owner, **row)
    except Exception as error:
        return f"{row!r}: {str(error) or type(error).__name__}", error
    return None
