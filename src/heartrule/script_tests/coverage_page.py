"""Coverage as one HTML file that needs nothing else: the scripts' source with what was reached and missed beside it.

No script runs in it, and nothing is told by colour alone: each mark is a sign of its own, and what is missing is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from heartrule.script_tests.coverage import Item
from heartrule.script_tests.coverage_words import CoverageWords, Language, percent
from heartrule.script_tests.tally import Count, Tally, by_kind, count

LONGEST = 300
"""Characters of a line that are shown; rules hold lines of many thousands."""
_SIGNS = {"reached": "✓", "partly": "◐", "missed": "✗", "": ""}
_MEANT = {"reached": "complete", "partly": "partly", "missed": "missed"}
File = tuple[str, str]
"""A project's id, and a path in it."""


def page(tally: Tally, language: Language) -> str:
    """The whole document."""
    words = CoverageWords(language)
    shell = Template((files("heartrule.script_tests") / "coverage.html").read_text(encoding="utf-8"))
    lang = "zh-CN" if language == "zh" else "en"
    return shell.substitute(lang=lang, title=escape(words("title")), body="\n".join(_body(tally, words)))


def _body(tally: Tally, words: CoverageWords) -> Iterator[str]:
    yield f"<h1>{escape(words('title'))}</h1>"
    yield f'<p class="large">{escape(words.counted(tally.whole))}</p>'
    for told in _counted_what(tally, words):
        yield f'<p class="faint">{escape(told)}</p>'
    if not tally.items:
        yield f"<p>{escape(words('nothing'))}</p>"
        return
    yield f"<h2>{escape(words('by_kind'))}</h2>"
    rows = [(escape(words.kind(kind)), each) for kind, each in tally.kinds.items()]
    yield from _table(words("kind"), rows, words)
    by_file = _files(tally)
    yield f"<h2>{escape(words('by_file'))}</h2>"
    rows = [(f'<a href="#{_anchor(file)}">{escape("/".join(file))}</a>', count(of, tally.reached))
            for file, of in by_file.items()]  # fmt: skip
    yield from _table(words("file"), rows, words)
    yield f"<h2>{escape(words('legend'))}</h2>"
    yield from _legend(tally, words)
    for file, of in by_file.items():
        yield from _source(tally, file, of, words)


def _counted_what(tally: Tally, words: CoverageWords) -> Iterator[str]:
    if tally.tests:
        yield words("by_tests", tests=tally.tests)
    if tally.sessions:
        yield words("by_sessions", sessions=tally.sessions)
    if tally.others:
        yield words("others", others=tally.others)
    if tally.beside:
        apart = count(tally.beside, tally.reached)
        yield words("beside", reached=apart.reached, total=apart.total)


def _table(head: str, rows: Sequence[tuple[str, Count]], words: CoverageWords) -> Iterator[str]:
    """``rows`` begin with HTML."""
    yield '<div class="scroll"><table><thead><tr>'
    yield f'<th scope="col">{escape(head)}</th>'
    yield from (f'<th scope="col" class="number">{escape(words(key))}</th>' for key in ("count", "of", "share"))
    yield '<th scope="col" class="bar" aria-hidden="true"></th></tr></thead><tbody>'
    for first, each in rows:
        yield (
            f'<tr><th scope="row">{first}</th><td class="number">{each.reached}</td>'
            f'<td class="number">{each.total}</td><td class="number">{percent(each.share)}</td>'
            '<td class="bar" aria-hidden="true"><div class="track">'
            f'<div class="fill" style="width:{each.share:.2f}%"></div></div></td></tr>'
        )
    yield "</tbody></table></div>"


def _legend(tally: Tally, words: CoverageWords) -> Iterator[str]:
    told = [(_SIGNS[state], words(key)) for state, key in _MEANT.items()]
    if tally.sessions:
        told += [(words(f"{whose}_mark"), words(f"{whose}_meaning")) for whose in ("by_test", "by_session")]
    yield '<ul class="legend">'
    yield from (f"<li><strong>{escape(sign)}</strong> {escape(meaning)}</li>" for sign, meaning in told)
    yield "</ul>"


# the source


def _files(tally: Tally) -> dict[File, list[Item]]:
    found: dict[File, list[Item]] = {}
    for item in tally.items:
        found.setdefault((item.project, item.place.file), []).append(item)
    return found


def _anchor(file: File) -> str:
    return "file-" + "".join(each if each.isalnum() else "-" for each in "/".join(file))


def _source(tally: Tally, file: File, of: Sequence[Item], words: CoverageWords) -> Iterator[str]:
    whole = count(of, tally.reached)
    kinds = " · ".join(f"{words.kind(k)} {c.reached}/{c.total}" for k, c in by_kind(of, tally.reached).items())
    yield f'<h2 id="{_anchor(file)}">{escape("/".join(file))}</h2>'
    yield "<details open>" if whole.reached < whole.total else "<details>"
    yield f'<summary>{escape(words.counted(whole))} <span class="faint">{escape(kinds)}</span></summary>'
    by_line: dict[int, list[Item]] = {}
    for item in of:
        by_line.setdefault(item.place.line, []).append(item)
    text = tally.sources[file].text if file in tally.sources else ""
    yield '<ol class="source">'
    for number, line in enumerate(text.splitlines(), 1):
        yield _line(tally, number, line, by_line.get(number, []), words)
    yield "</ol></details>"


def _line(tally: Tally, number: int, text: str, of: Sequence[Item], words: CoverageWords) -> str:
    missed = [item for item in of if item not in tally.reached]
    state = "" if not of else "reached" if not missed else "partly" if len(missed) < len(of) else "missed"
    shown = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    spoken = f'<span class="spoken">{escape(words(_MEANT[state]))}</span>' if state else ""
    mark = (
        f'<span class="mark"><span aria-hidden="true">{_SIGNS[state]}{_whose(tally, of, words)}</span>{spoken}</span>'
    )
    row = f'<div class="row">{mark}<span class="at">{number}</span><code>{escape(shown)}</code></div>'
    if missed:
        names = words("separator").join(dict.fromkeys(words.named(item) for item in missed))
        row += f'<p class="missing">{escape(words("missing", names=names))}</p>'
    return f'<li class="{state}">{row}</li>' if state else f"<li>{row}</li>"


def _whose(tally: Tally, of: Sequence[Item], words: CoverageWords) -> str:
    """Who reached it, where both are counted."""
    if not tally.sessions:
        return ""
    signs = [("by_test_mark", tally.by_tests), ("by_session_mark", tally.by_sessions)]
    return " " + "".join(words(key) for key, who in signs if any(item in who for item in of))
