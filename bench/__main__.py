"""The figures we hold ourselves to, one after the other: ``make bench``. The other files here compare alternatives."""

from __future__ import annotations

from bench import loading, turns


def main() -> None:
    loading.main([])
    turns.main([])


if __name__ == "__main__":
    main()
