"""A script file → data in our spelling, with the positions of what was written."""

from __future__ import annotations

from heartrule.language.findings import Finding, finding
from heartrule.language.findings.words import words
from heartrule.language.nodes import Place
from heartrule.language.spellings.rewriter import RewrittenScript, respelled, spelled_otherwise
from heartrule.language.texts.text_edits import begins, in_original, place_of
from heartrule.language.yaml import ParsedYaml, compose, parse


def parse_script(raw: bytes | str, file: str) -> ParsedYaml:
    """As ``yaml.parse``, but other spellings are read as ours. That there are any is told once."""
    parsed = parse(raw, file)
    if not parsed.whole or not spelled_otherwise(parsed.documents):
        return parsed
    lines = parsed.map.lines
    made = respelled("\n".join(lines))
    found = [*parsed.findings, *_told(made, parsed)]
    if made.first is None:
        return ParsedYaml(file, parsed.documents, parsed.map, found)
    ours = compose(made.traced.text, file)
    if not ours.whole:
        return ParsedYaml(file, parsed.documents, parsed.map, found)
    return ParsedYaml(file, ours.documents, in_original(ours.map, made.traced, lines), found)


def in_our_spelling(text: str, file: str) -> str:
    """A text that loads, with other spellings rewritten."""
    parsed = compose(text, file)
    return respelled(text).traced.text if parsed.whole and spelled_otherwise(parsed.documents) else text


def _told(made: RewrittenScript, parsed: ParsedYaml) -> list[Finding]:
    starts = begins("\n".join(parsed.map.lines))

    def place(offset: int) -> Place:
        spot = place_of(offset, starts)
        near = [path for path, key in parsed.map.keys.items() if key[:2] == spot[:2]]
        said = words(parsed.documents, near[0] if near else (0,))
        return Place(parsed.file, spot.line, spot.column, said.zh, said.en)

    told = [finding(each.code, place(each.at), mend=None, **each.values) for each in made.refusals]
    return told if made.first is None else [finding("W194", place(made.first)), *told]
