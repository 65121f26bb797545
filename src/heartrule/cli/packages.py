"""``heartrule pack``, ``install``, ``update`` and ``packages``: projects of scripts passed on, signed."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json, shown
from heartrule.cli.settings import Form, Lang
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from collections.abc import Mapping

    from heartrule.packages.capabilities import Capabilities
    from heartrule.packages.index import Entry, Index
    from heartrule.packages.install_plan import Step

packages = typer.Typer(no_args_is_help=True)
_ASKED = re.compile(r"(?P<name>[a-z][a-z0-9_-]*)(?P<range>(?:[<>=!~].*)?)\Z")
From = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="INDEX",
        envvar="HEARTRULE_PACKAGES",
        help=said("包的目录：文件夹或 https 地址。", "The index of packages: a folder or an https address."),
    ),
]
Into = Annotated[
    Path,
    typer.Option(
        "--into",
        metavar="FOLDER",
        help=said("装进哪个文件夹；serve、chat 用 --project 读它。", "The folder to install in; read with --project."),
    ),
]
Yes = Annotated[
    bool, typer.Option("--yes", help=said("不再问，直接装。", "Install without asking, after all has been shown."))
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust-new-key",
        help=said("接受另一把签名的钥匙。", "Accept a package that is signed with another key than before."),
    ),
]
Untested = Annotated[
    bool,
    typer.Option("--skip-tests", help=said("不跑包里的谈话测试。", "Do not hold the package's conversation tests.")),
]


@packages.command("key", help=said("做一把签名用的钥匙。", "Make a key to sign packages with."))
def make_key(
    path: Annotated[Path, typer.Argument(metavar="FILE", help=said("存在哪里。", "Where to keep it."))],
    lang: Lang = None,
) -> None:
    from heartrule.signing import new_key, public

    words = Words(spoken_here(lang))
    try:
        key = new_key(path)
    except OSError as error:
        raise stop(f"{path}: {error.strerror or error}", 2) from None
    echo(words("package_key_made", path=path, public=public(key)))


def pack(
    folder: Annotated[Path, typer.Argument(metavar="PROJECT", help=said("项目的文件夹。", "The project's folder."))],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help=said("签名的钥匙。", "The key to sign with."))],
    index: Annotated[
        Path,
        typer.Option("--index", metavar="FOLDER", help=said("放进哪个目录。", "The folder of the index to put it in.")),
    ],
    lang: Lang = None,
) -> None:
    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings import Refused
    from heartrule.language.findings.report import report
    from heartrule.packages.builder import make
    from heartrule.packages.index import add
    from heartrule.signing import read_key

    words = Words(spoken_here(lang))
    try:
        signed = read_key(key)
        _, raw = make(folder, field_models(), signed)
        entry = add(index, raw)
    except Refused as refused:
        raise stop(report(refused.findings, lang=words.language)) from None
    except OSError as error:
        raise stop(f"{error.filename or folder}: {error.strerror or error}", 2) from None
    echo(words("packed", name=entry.manifest.name, version=entry.manifest.version, file=index / entry.file))
    echo(words("packed_bytes", bytes=len(raw), digest=entry.digest, public=entry.key))


@packages.command("search", help=said("目录里有什么。", "What an index holds."))
def search(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help=said("要找的字。", "What to look for."))] = "",
    form: Form = "text",
    source: From = ".",
    lang: Lang = None,
) -> None:
    from heartrule.packages.index import Index, newest

    words = Words(spoken_here(lang))
    found = [each for each in newest(Index(source).entries()) if _mentions(each, text)]
    if form == "json":
        echo_json([each.model_dump(mode="json") for each in found])
        return
    for each in found:
        one = each.manifest
        echo(f"{one.name} {one.version} · {one.licence} · {one.described(words.language)}")
    if not found:
        echo(words("packages_none"))


@packages.command("list", help=said("装了什么。", "What is installed."))
def installed(into: Into = Path("packages"), lang: Lang = None) -> None:
    from heartrule.packages.install_plan import read_lock

    words = Words(spoken_here(lang))
    lock = read_lock(into)
    for name, each in sorted(lock.packages.items()):
        echo(f"{name} {each.version} · {into / each.project}")
    if not lock.packages:
        echo(words("packages_none"))


def install(
    asked: Annotated[
        list[str],
        typer.Argument(
            metavar="PACKAGE…",
            help=said("包的名字，可以带版本范围：sleep>=1.2。", "Names, with a range if wanted: sleep>=1.2."),
        ),
    ],
    source: From = ".",
    into: Into = Path("packages"),
    yes: Yes = False,
    trust: Trust = False,
    untested: Untested = False,
    lang: Lang = None,
) -> None:
    from heartrule.packages.index import Index
    from heartrule.packages.install_plan import read_lock, resolve

    words = Words(spoken_here(lang))
    wanted = dict(_asked(each, words) for each in asked)
    index = Index(source)
    kept = {name: each.wanted for name, each in read_lock(into).packages.items() if each.wanted is not None}
    chosen = resolve(index, {**kept, **wanted})
    _change(index, into, chosen, wanted, words, yes=yes, trust=trust, untested=untested)


def update(
    source: From = ".",
    into: Into = Path("packages"),
    yes: Yes = False,
    trust: Trust = False,
    untested: Untested = False,
    lang: Lang = None,
) -> None:
    from heartrule.packages.index import Index
    from heartrule.packages.install_plan import outdated, read_lock

    words = Words(spoken_here(lang))
    index = Index(source)
    _change(index, into, outdated(index, read_lock(into)), {}, words, yes=yes, trust=trust, untested=untested)


def _asked(text: str, words: Words) -> tuple[str, str]:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    match = _ASKED.match(text)
    try:
        if match is None:
            raise InvalidSpecifier
        SpecifierSet(match["range"])
    except InvalidSpecifier:
        raise stop(words("package_asked", text=shown(text)), 2) from None
    return match["name"], match["range"]


def _change(
    index: Index,
    into: Path,
    chosen: Mapping[str, Entry],
    wanted: Mapping[str, str],
    words: Words,
    *,
    yes: bool,
    trust: bool,
    untested: bool,
) -> None:
    """Shows what would change, holds what it comes with against it, asks, and writes."""
    from heartrule.engine.installed_types import field_models
    from heartrule.packages.install_plan import plan, write

    registry = field_models()
    steps = plan(index, into, chosen, registry)
    if not steps:
        echo(words("packages_current"))
        return
    for step in steps:
        _show(step, words)
    if changed := [step for step in steps if step.new_key and not trust]:
        raise stop(words("package_new_key", names=", ".join(each.entry.manifest.name for each in changed)))
    if not _sound(steps, into, words, untested):
        raise stop(words("package_unsound"))
    if not yes and not typer.confirm(words("package_install")):
        raise typer.Exit(1)
    write(into, steps, wanted, index)
    echo(words("packages_installed", count=len(steps), folder=into))


def _show(step: Step, words: Words) -> None:
    manifest = step.package.about.manifest
    before = f"{step.former.version} → " if step.former is not None else ""
    echo(f"{manifest.name} {before}{manifest.version} · {manifest.licence} · {step.package.key}")
    told = [manifest.described(words.language), manifest.origin, *manifest.sources]
    for line in filter(None, told):
        echo(f"  {line}")
    for line in _may(step.package.about.capabilities, words):
        echo(f"  {line}")
    if step.former is not None:
        for line in _may(step.gains, words):
            echo("  " + words("package_gains", what=line))
    if step.edited:
        echo("  " + words("package_edited", files=", ".join(step.edited)))


def _may(may: Capabilities, words: Words) -> list[str]:
    lines = [
        words.of("package_may", name) + words("colon") + ", ".join(values)
        for name in ("sessions", "skills", "awareness", "forms", "directives", "models", "hosts")
        if (values := getattr(may, name))
    ]
    return lines + [words.of("package_may", name) for name in ("reads_memory", "keeps_memory") if getattr(may, name)]


def _sound(steps: list[Step], into: Path, words: Words, untested: bool) -> bool:
    """Whether what would be there has no error and its own tests pass, in a folder beside what it stands with."""
    from heartrule.cli.suites import progress
    from heartrule.engine.installed_types import field_models
    from heartrule.language.findings.report import report
    from heartrule.language.linting.lint import lint_paths
    from heartrule.packages.install_plan import write_into
    from heartrule.script_tests.parallel_runs import hold
    from heartrule.script_tests.suite import Shelf, collect

    with tempfile.TemporaryDirectory() as made:
        trial = Path(made)
        write_into(trial, into, steps)
        homes = [trial / step.package.about.project for step in steps]
        linted = lint_paths([trial], field_models())
        if linted.errors:
            echo(report([each for each in linted.findings if each.stops], lang=words.language), err=True)
            return False
        echo(words("package_linted", warnings=linted.warnings))
        if untested:
            return True
        suite = collect(homes, Shelf((trial,)))
        told = progress(lambda done, of: words("package_tests", done=done, of=of), to_file=False)
        held = list(hold(suite.jobs, (trial,), progress=told))
        failed = [each for each in held if not each.passed]
        echo(words("package_tested", passed=len(held) - len(failed), of=len(held)))
        return not failed and not suite.refused


def _mentions(entry: Entry, text: str) -> bool:
    one = entry.manifest
    return text.casefold() in " ".join([one.name, *one.description.values(), *one.authors]).casefold()
