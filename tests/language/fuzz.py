"""The long form of the fuzzing: ``python -m tests.language.fuzz [--count N] [--seconds S] [--seed K]``.

Documents of many kinds, each read, checked, told and mended, then formatted. None may crash, take over a second for
either or over 200 MB, and every refusal must stand somewhere in the file.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable

from tests.language.faults import GOOD
from tests.language.material import ACTIONS
from tests.language.test_fuzz import GOOD as SHORT
from tests.language.test_fuzz import KEYS, PIECES, SIGNS

from heartrule.language.findings.report import report
from heartrule.language.formatting import formatted
from heartrule.language.linting.fixes import mended
from heartrule.language.linting.rules import check
from heartrule.language.projects.project import load_texts

SECONDS, MEGABYTES = 1.0, 200
SCRIPTS = [SHORT, *(path.read_text(encoding="utf-8") for path in GOOD.values())]
ODD = ["\t", "\r\n", "\ufeff", "\x00", "\x85", "\u2028", "\ud800", "：", "，", "“", "\\", "\x7f", "🙂", "…"]
VALUES = [
    "{a: b}",
    "[1, 2]",
    "null",
    "~",
    "-1",
    "1e999",
    "0x1F",
    "{x}",
    "'",
    '"',
    "|",
    "*a",
    "&a b",
    "!!int x",
    "是",
    "",
]


def by_bytes(dice: random.Random) -> bytes:
    """Anything at all, or a good script with bytes changed in it."""
    if dice.random() < 0.3:
        return dice.randbytes(dice.randrange(2_000))
    raw = bytearray(dice.choice(SCRIPTS).encode())
    for _ in range(dice.randint(1, 20)):
        raw[dice.randrange(len(raw))] = dice.randrange(256)
    return bytes(raw)


def by_grammar(dice: random.Random) -> bytes:
    """Pieces of YAML in any order."""
    parts = [*SIGNS, *PIECES, *ODD, "\n", "\n", "  ", "a", "b: c", "? ", "<<: *a"]
    return _bytes("".join(dice.choices(parts, k=dice.randint(1, 200))))


def by_lines(dice: random.Random) -> bytes:
    """A good script with lines dropped, doubled, moved or shifted."""
    lines = dice.choice(SCRIPTS).split("\n")
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(lines))
        match dice.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[dice.randrange(len(lines))])
            case 2:
                lines[at] = " " * dice.randint(1, 4) + lines[at]
            case 3:
                lines[at] = lines[at].removeprefix("  ")
            case _:
                lines[at] = "\t" + lines[at].lstrip()
        lines = lines or [""]
    return _bytes("\n".join(lines))


def by_keys(dice: random.Random) -> bytes:
    """A good script with any key and any value somewhere, twice now and then."""
    lines = dice.choice(SCRIPTS).split("\n")
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(lines))
        indent = len(lines[at]) - len(lines[at].lstrip(" -"))
        added = " " * indent + f"{dice.choice(KEYS)}: {dice.choice(VALUES)}"
        lines[at + 1 : at + 1] = [added] * dice.choice([1, 1, 1, 2])
    return _bytes("\n".join(lines))


def by_characters(dice: random.Random) -> bytes:
    """A good script with odd characters in it, or with other line ends, or a mark before it."""
    text = dice.choice(SCRIPTS)
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice([*ODD, *SIGNS]) + text[at + dice.randrange(3) :]
    text = text.replace("\n", "\r\n") if dice.random() < 0.3 else text
    return _bytes(("\ufeff" if dice.random() < 0.2 else "") + text)


def by_depth(dice: random.Random) -> bytes:
    """Brackets, mappings or lists in each other."""
    depth = dice.choice([5, 30, 59, 60, 61, 300, 20_000])
    opening, closing = dice.choice([("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", ""), ("{", ""), ("[", "")])
    begins = dice.choice(["", "sessions: ", "global: ", "a: &x "])
    return _bytes(begins + opening * depth + "x" + closing * depth)


def by_bombs(dice: random.Random) -> bytes:
    """Aliases of aliases, many nodes, long texts."""
    levels, width = dice.randint(2, 12), dice.randint(2, 12)
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    more = [
        "\n".join(lines),
        "sessions: [" + "{session: a, phases: []}," * dice.randint(1, 3_000) + "]",
        "global:\n" + "- {var: a, vra: b}\n" * dice.randint(1, 1_500),
        "a: " + "很" * dice.randint(1, 120_000),
        "sessions:\n" + "- session: a\n  condition: {" + "(" * dice.randint(1, 3_000) + "\n",
    ]
    return _bytes(dice.choice(more))


KINDS: dict[str, tuple[int, Callable[[random.Random], bytes]]] = {
    "bytes": (20, by_bytes),
    "grammar": (25, by_grammar),
    "lines": (20, by_lines),
    "keys": (15, by_keys),
    "characters": (17, by_characters),
    "depth": (2, by_depth),
    "bombs": (1, by_bombs),
}


def rewritten(raw: bytes) -> None:
    formatted(raw, "script.yaml", ACTIONS)


def linted(raw: bytes) -> bool:
    """Read, check, tell and mend. Says whether the file was refused; raises ``AssertionError`` where a finding stands
    nowhere."""
    project = load_texts({"script.yaml": raw}, ACTIONS)
    found = [*project.findings, *check(project, {project.id: project}.get)]
    lines = raw.decode("utf-8", "replace").count("\n") + 2
    for each in found:
        assert each.file == "script.yaml", each
        assert 1 <= each.line <= lines, each
        assert each.column >= 1, each
    assert report(found, "sarif", "en")
    after, done = mended(raw, found)
    assert done or after == raw
    return any(each.stops for each in found)


def run(count: int, seed: int, seconds: float = float("inf")) -> Counter[str]:
    """Counts by kind, and ``refused``. Raises ``AssertionError`` with what makes the document again."""
    names, weights = list(KINDS), [weight for weight, _ in KINDS.values()]
    told: Counter[str] = Counter()
    began = time.monotonic()
    linted(SHORT.encode())
    base = _memory()
    for number in range(count):
        if time.monotonic() - began > seconds:
            break
        dice = random.Random(f"{seed}/{number}")
        kind = dice.choices(names, weights)[0]
        raw = KINDS[kind][1](dice)
        which = f"--seed {seed}, document {number} ({kind})"
        try:
            before = time.process_time()
            refused = linted(raw)
            between = time.process_time()
            rewritten(raw)
            spent = max(between - before, time.process_time() - between)
        except Exception as error:
            raise AssertionError(f"{which}: {error!r}") from error
        assert spent < SECONDS, f"{which} took {spent:.2f} s"
        assert _memory() - base < MEGABYTES, f"{which} took {_memory() - base:.0f} MB"
        told[kind] += 1
        told["refused"] += refused
        told["longest ms"] = max(told["longest ms"], round(spent * 1_000))
    told["MB more"] = round(_memory() - base)
    return told


def _memory() -> float:
    """The most that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--count", type=int, default=100_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=float("inf"))
    given = asked.parse_args()
    told = run(given.count, given.seed, given.seconds)
    read = sum(told[kind] for kind in KINDS)
    lines = (
        f"{read} documents, {told['refused']} refused, each at its place",
        f"the longest took {told['longest ms']} ms, all together {told['MB more']} MB more",
        ", ".join(f"{kind} {told[kind]}" for kind in KINDS),
    )
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
