"""The figures we hold ourselves to: ``make bench``. The other files here compare alternatives."""

from __future__ import annotations

from bench.intake import comparison

from bench import turns


def main() -> None:
    turns.main()
    comparison.main(["--short"])


if __name__ == "__main__":
    main()
