"""Trains the classifier that the product ships, and says how well strangers' sentences are heard.

``python -m bench.risk_model`` prints the figures; ``--write`` writes the weights too, ``--check`` only says whether the
data still gives the weights that are shipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.risk_model import card
from bench.risk_model.data import EVERYDAY, POSTS, strangers
from bench.risk_model.figures import Tiers, table, thresholds
from bench.risk_model.held_out import everything, fourths, left_out, read_by
from bench.risk_model.rule_table import rule_table
from bench.risk_model.training import called, trained

from heartrule.classifiers import FILE, shipped
from heartrule.engine.awareness.linear import unpacked

WEIGHTS = Path(__file__).parents[2] / "src" / "heartrule" / "classifiers" / FILE


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.risk_model", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights")
    parser.add_argument("--check", action="store_true", help="hold what the data gives against the weights, and stop")
    parser.add_argument(
        "--rules", action="store_true", help="say of each watch rule what it finds that nothing else finds"
    )
    parser.add_argument(
        "--strangers", type=Path, nargs="+", metavar="FILE", help="read sentences of people nothing was trained on"
    )
    given = parser.parse_args()
    if given.strangers:
        return _strangers(given.strangers)
    whole, names = everything()
    if given.check:
        standing = unpacked(WEIGHTS.read_bytes())
        again = trained(whole, range(len(whole.rows)), called(whole.rows), standing.thresholds)
        same = again.plain() == standing.plain()
        print(f"{again.name}: {'the same weights' if same else 'other weights than ' + standing.name}")
        return 0 if same else 1
    heard = list(left_out(whole, names))
    tiers = Tiers(thresholds(heard))
    beside = [*fourths(whole, EVERYDAY), *fourths(whole, POSTS)]
    told = ", ".join(f"{lang} {least}" for lang, least in sorted(tiers.thresholds.items()))
    lines = [f"{len(names)} authors, {len(heard)} sentences of theirs; thresholds {told}.", ""]
    lines += table(heard, tiers, beside)
    print("\n".join(lines))
    if given.rules:
        print("\n" + "\n".join(rule_table(heard, tiers.learned)))
    if given.write:
        weights = trained(whole, range(len(whole.rows)), called(whole.rows), tiers.thresholds)
        WEIGHTS.write_bytes(weights.packed())
        shipped.cache_clear()
        lines[0] += f" `{weights.name}`, {len(weights.weights):,} weights, {WEIGHTS.stat().st_size // 1000} kB."
        card.write(lines)
        print(lines[0])
    return 0


def _strangers(files: Sequence[Path]) -> int:
    """What the product as it is shipped hears in files of the shape of an author's."""
    rows = list(read_by(shipped(), [row for file in files for row in strangers(file)]))
    print("\n".join(table(rows, Tiers(unpacked(WEIGHTS.read_bytes()).thresholds))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
