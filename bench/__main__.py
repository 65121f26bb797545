"""The figures we hold ourselves to: ``make bench``. The other files here compare alternatives."""

from __future__ import annotations

from bench import turns


def main() -> None:
    turns.main()


if __name__ == "__main__":
    main()
