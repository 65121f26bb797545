"""Script files in our spelling, as texts: what ``heartrule fmt`` writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from heartrule.language.findings import Finding, finding
from heartrule.language.formatting.id_numbers import Ids
from heartrule.language.nodes import Place
from heartrule.language.projects.library import ad_hoc, home_of, projects_in
from heartrule.language.projects.loader import load
from heartrule.language.projects.project import PROJECT_FILE, load_texts, read_file, read_texts
from heartrule.language.shape import Registry
from heartrule.language.spellings.script_reader import in_our_spelling
from heartrule.language.yaml.decoding import decode

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class FormattedFile:
    """A file as it was and as it is in our spelling. ``findings``: why it was not touched."""

    path: Path
    before: bytes
    after: bytes
    findings: tuple[Finding, ...] = ()

    @property
    def changed(self) -> bool:
        return self.before != self.after


def formatted(raw: bytes, file: str, registry: Registry, ids: Ids | None = None) -> tuple[bytes, list[Finding]]:
    """The bytes of a script file in our spelling; as they are, and the errors, where it does not load."""
    errors = [found for found in load(raw, file, registry).findings if found.stops]
    text, _ = decode(raw, file)
    if errors or text is None:
        return raw, errors
    text = in_our_spelling(text, file)
    if ids is not None:
        text = ids.give(text, "\r\n" if "\r\n" in text else "\n")
    mark = _MARK if raw.startswith(_MARK) else b""
    return mark + text.encode("utf-8"), []


def format_paths(paths: Iterable[Path], registry: Registry, *, ids: bool = False) -> list[FormattedFile]:
    """The script files at ``paths``: files, project folders, folders of projects. Nothing is written."""
    made: list[FormattedFile] = []
    for path in paths:
        if path.is_dir():
            for folder in projects_in(path) or [path]:
                made += _project(folder, registry, ids)
        elif (home := home_of(path) if path.is_file() else None) is not None:
            made += [each for each in _project(home, registry, ids) if each.path.resolve() == path.resolve()]
        else:
            raw, problem = read_file(path)
            unread = (finding("E017", Place(str(path), 1, 1), problem=problem),) if problem else ()
            made += (
                [FormattedFile(path, b"", b"", unread)]
                if problem
                else _files(path.parent, {path.name: raw}, registry, ids)
            )
    return list({each.path.resolve(): each for each in made}.values())


def _project(folder: Path, registry: Registry, ids: bool) -> list[FormattedFile]:
    texts, unread = read_texts(folder)
    told = [
        FormattedFile(folder / each.file, b"", b"", (replace(each, file=str(folder / each.file)),)) for each in unread
    ]
    return [*told, *_files(folder, texts, registry, ids)]


def _files(folder: Path, texts: Mapping[str, bytes], registry: Registry, ids: bool) -> list[FormattedFile]:
    """The scripts among the files of a project; not its prompts, nor what it is configured by."""
    names = list(load_texts(texts, registry, ad_hoc(folder / PROJECT_FILE)).files)
    known = Ids() if ids else None
    first = {name: formatted(texts[name], name, registry) for name in names}
    if known is not None:
        for after, _ in first.values():
            known.see(after.decode("utf-8", "replace").removeprefix("\ufeff"))
    made = []
    for name in names:
        after, errors = formatted(texts[name], name, registry, known) if known else first[name]
        path = folder / name
        made.append(FormattedFile(path, texts[name], after, tuple(replace(each, file=str(path)) for each in errors)))
    return made
