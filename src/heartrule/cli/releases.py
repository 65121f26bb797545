"""``heartrule releases``: what is published of the projects of the workbench, by whom, and the way back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.identity.principal import Principal
    from heartrule.releases.gates import Gate
    from heartrule.releases.impact import Impact
    from heartrule.releases.service import ReleaseService, ReleaseStatus

releases = typer.Typer(no_args_is_help=True)
Which = Annotated[str, typer.Argument(metavar="PROJECT", help=said("项目的编号或名字。", "The project's id or name."))]
Release = Annotated[str, typer.Argument(metavar="RELEASE", help=said("发布的编号。", "The release's id."))]
As = Annotated[
    str, typer.Option("--as", metavar="ID", help=said("记在谁名下：帐户的编号。", "Who does it: the id of an account."))
]
Work = Callable[["ReleaseService", "Principal"], Awaitable[None]]


@releases.command("list", help=said("项目和它们的发布。", "Projects and their releases."))
def listed(form: Form = "text", data: Data = None, lang: Lang = None) -> None:
    words = Words(spoken_here(lang))

    async def work(service: ReleaseService, who: Principal) -> None:
        found = await service.all(who)
        if form == "json":
            echo_json([_plain(each) for each in found])
            return
        for each in found:
            _show(each, words)
        if not found:
            echo(words("projects_none"))

    _done(work, "operator", data, words)


@releases.command(
    help=said("用最新的版本做一个发布，进入测试。", "Make a release of the newest version, to be tested.")
)
def new(
    project: Which,
    who: As,
    notes: Annotated[
        str | None,
        typer.Option(
            "--notes",
            help=said("发布说明（默认从改动写出草稿）。", "Release notes (by default drafted from what has changed)."),
            show_default=False,
        ),
    ] = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))

    async def work(service: ReleaseService, principal: Principal) -> None:
        standing = await _find(service, principal, project, words)
        made = await service.make(principal, standing.project, notes, words.language)
        echo(words("release_made", id=made.id, version=made.version))
        echo(made.notes)

    _done(work, who, data, words)


@releases.command(help=said("跑测试，看还差什么才能发布。", "Run the tests, and see what is missing to publish it."))
def check(release: Release, data: Data = None, lang: Lang = None) -> None:
    words = Words(spoken_here(lang))

    async def work(service: ReleaseService, who: Principal) -> None:
        found = await service.check(who, release, words.language)
        _gates(found, words)
        if not all(each.open for each in found):
            raise typer.Exit(1)

    _done(work, "operator", data, words)


@releases.command(
    help=said(
        "发布以后，还没谈完的会谈会怎样。",
        "What publishing it would do to sessions that are not over.",
    )
)
def impact(release: Release, form: Form = "text", data: Data = None, lang: Lang = None) -> None:
    words = Words(spoken_here(lang))

    async def work(service: ReleaseService, who: Principal) -> None:
        found = await service.impact(who, release)
        if form == "json":
            counts = {str(kind): count for kind, count in found.counts.items()}
            told = {"sessions": found.all, **counts, "unread": found.unread}
            echo_json(told)
            return
        _impact(found, words)

    _done(work, "operator", data, words)


@releases.command(help=said("发布：新会谈从它开始。", "Publish it: new sessions begin with it."))
def publish(
    release: Release,
    who: As,
    share: Annotated[
        float, typer.Option("--share", min=0.001, max=1.0, help=said("给几成的人。", "The share of persons."))
    ] = 1.0,
    existing: Annotated[
        Literal["pinned", "safe"],
        typer.Option(
            "--existing",
            help=said(
                "没谈完的会谈：留在原处，或把不受影响的移过来。", "Sessions not over: stay, or move what is safe."
            ),
        ),
    ] = "pinned",
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))

    async def work(service: ReleaseService, principal: Principal) -> None:
        from heartrule.releases.impact import Rule
        from heartrule.releases.service import NotOpen

        try:
            done = await service.publish(principal, release, Rule(existing), share)
        except NotOpen as shut:
            _gates(shut.gates, words)
            raise stop(words("release_not_open")) from None
        echo(words("release_published", id=release, share=f"{done.served.share or 1:.0%}"))
        if existing != "pinned":
            echo(words("release_moved", moved=done.moved.moved, stayed=done.moved.stayed))

    _done(work, who, data, words)


@releases.command(help=said("退回上一个发布。", "Go back to the former release."))
def back(project: Which, who: As, data: Data = None, lang: Lang = None) -> None:
    _return(project, who, data, lang, halted=False)


@releases.command(help=said("叫停正在试的（或现在的）发布。", "Halt what is being tried, or what is published."))
def halt(project: Which, who: As, data: Data = None, lang: Lang = None) -> None:
    _return(project, who, data, lang, halted=True)


@releases.command(help=said("给发布签名的公钥。", "The public key that releases are signed with."))
def key(data: Data = None, lang: Lang = None) -> None:
    from heartrule.signing import BadKey, Signer

    try:
        echo(Signer(settings(data).data).key())
    except BadKey as bad:
        raise stop(bad.told.localized(spoken_here(lang))) from None


def _return(project: str, who: str, data: Data, lang: Lang, *, halted: bool) -> None:
    words = Words(spoken_here(lang))

    async def work(service: ReleaseService, principal: Principal) -> None:
        standing = await _find(service, principal, project, words)
        deed = service.halt if halted else service.back
        served = await deed(principal, standing.project)
        echo(words("release_back", id=served.release or words("release_none")))

    _done(work, who, data, words)


def _done(work: Work, who: str, data: Data, words: Words) -> None:
    """Do it with the store and the scripts of the data folder, and say in plain words what is in the way."""
    import asyncio

    from heartrule.releases.release_checks import NoProjectFile
    from heartrule.releases.service import NotAllowed, Nothing, NotTrusted, Taken
    from heartrule.store.projects import NoSuchProject
    from heartrule.store.releases import NoSuchRelease, Overtaken

    async def worked() -> None:
        async with _service(data) as service:
            await work(service, _operator(who))

    told = {
        NoSuchRelease: "release_unknown",
        NoSuchProject: "release_gone",
        NotAllowed: "release_not_allowed",
        Taken: "release_taken",
        Nothing: "release_nothing",
        Overtaken: "release_overtaken",
        NotTrusted: "release_not_trusted",
        NoProjectFile: "release_no_project",
    }
    try:
        asyncio.run(worked())
    except tuple(told) as refused:
        raise stop(words(told[type(refused)], name=str(refused)), 2) from None


@asynccontextmanager
async def _service(data: Data) -> AsyncIterator[ReleaseService]:
    from heartrule.debugger.service import Debugger
    from heartrule.engine.installed_types import field_models
    from heartrule.releases.release_checks import ReleaseChecks
    from heartrule.releases.service import ReleaseService
    from heartrule.server.settings import ServerSettings
    from heartrule.sessions import open_sessions
    from heartrule.signing import Signer
    from heartrule.workbench.workbench import Workbench

    where = settings(data)
    server = ServerSettings.load(where.data)
    async with open_sessions(where) as sessions:
        workbench = Workbench(
            sessions.store.projects, sessions.store.teams, sessions.library, field_models(), sessions.clock
        )
        debugger = Debugger(sessions.store, sessions.library, sessions.model, sessions.clock)
        checking = ReleaseChecks(sessions, workbench, debugger, server.risk_files)
        yield ReleaseService(sessions, checking, Signer(where.data))


def _operator(who: str) -> Principal:
    """Who has the data folder at hand is let in; the gates hold for them as for anybody."""
    from heartrule.identity.principal import EVERY, ROLES, Principal

    return Principal(who, who, frozenset(ROLES), (EVERY,))


async def _find(service: ReleaseService, who: Principal, name: str, words: Words) -> ReleaseStatus:
    every = await service.all(who)
    found = [each for each in every if each.project == name] or [each for each in every if each.name == name]
    if len(found) != 1:
        known = "\n".join(f"  {each.project}  {each.name}" for each in every)
        raise stop(f"{words('project_unknown', name=name)}\n{known}".rstrip(), 2)
    return found[0]


def _show(standing: ReleaseStatus, words: Words) -> None:

    echo(f"{standing.project}  {standing.name} · {standing.slug}")
    served = standing.served
    for each in standing.releases:
        share = f" {served.share:.0%}" if served is not None and served.candidate == each.id else ""
        state = words.of("release_states", each.state)
        echo(f"  {each.id}  {state}{share} · {each.version} · {each.author.name}")


def _plain(standing: ReleaseStatus) -> dict[str, object]:
    served = standing.served
    return {
        "project": standing.project,
        "name": standing.name,
        "slug": standing.slug,
        "version": standing.version,
        "release": served.release if served else None,
        "candidate": served.candidate if served else None,
        "share": served.share if served else 0.0,
        "releases": [
            {"id": each.id, "state": each.state, "version": each.version, "bundle": each.bundle, "key": each.key}
            for each in standing.releases
        ],
    }


def _gates(found: tuple[Gate, ...], words: Words) -> None:

    for each in found:
        echo(f"{'✓' if each.open else '✗'} {each.says.localized(words.language)}")
        if each.mend is not None:
            echo(f"    {each.mend.localized(words.language)}")
        for detail in each.details:
            echo(f"    · {detail.localized(words.language)}")


def _impact(found: Impact, words: Words) -> None:

    echo(words("impact_all", all=found.all))
    for kind, count in found.counts.items():
        if count:
            echo(f"  {count:>5}  {words.of('impact_kinds', kind)}")
    if found.unread:
        echo(f"  {found.unread:>5}  {words.of('impact_kinds', 'unread')}")
    for each in found.examples:
        place = " / ".join(part for part in each.place if part)
        why = each.reason or ", ".join(f"{part.name}: {words.of('fates', part.fate)}" for part in each.parts)
        echo(f"  {words.of('impact_kinds', each.kind)} · {place} · {why} ({each.sessions})")
