"""E280: a picture or recording that cannot be shown. E281: one on a host that the project does not allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes.media import Audio, Picture
from heartrule.language.nodes.node import Node
from heartrule.language.placeholders import sole_name
from heartrule.language.projects.media_files import Kind, Problem, host_of, is_remote, problem_of

_WHY: Mapping[Problem, Bilingual] = {
    "missing": Bilingual("项目的文件夹里没有这个文件", "there is no such file in the project's folder"),
    "type": Bilingual("不是可以用的类型", "it is of no type that is allowed"),
    "content": Bilingual("文件的内容和扩展名不符", "what is in the file is not what its name says"),
    "size": Bilingual("文件太大：图片最大 2 MB，录音最大 20 MB", "it is too large: pictures 2 MB, audio 20 MB at most"),
    "path": Bilingual("路径要从项目的文件夹写起，用 /", "the path is written from the project's folder on, with /"),
    "kind": Bilingual("这里要的不是这一种", "it is of the other kind"),
}


def check(view: View) -> Iterator[Finding]:
    for role in view.project.roles:
        if role.picture is not None:
            yield from _found(view, role, "picture", "picture", role.picture)
    drawn = {action.peek("store_as") for _, action in view.actions()} - {None}
    for _, action in view.actions():
        source = action.peek("picture")
        if isinstance(source, str) and sole_name(source) not in drawn:
            yield from _found(view, action, "picture", "picture", source)
        for node in view.names.once(_media, action):
            yield from _found(view, node, "src", "picture" if isinstance(node, Picture) else "audio", node.src)


def _media(_: Names, action: Node) -> tuple[Picture | Audio, ...]:
    return tuple(node for node in _below(action) if isinstance(node, Picture | Audio))


def _below(node: Node) -> Iterator[Node]:
    for _, child in node.children():
        yield child
        if not isinstance(child.peek("type"), str):
            yield from _below(child)


def _found(view: View, node: Node, key: str, kind: Kind, source: str) -> Iterator[Finding]:
    place = view.project.at(node, key, value=True)
    if is_remote(source):
        host = host_of(source)
        if host is None or host not in view.project.node.media_hosts:
            yield finding("E281", place, source=clip(source), host=clip(host or source))
        return
    problem = problem_of(source, kind, view.project.media)
    if problem:
        yield finding("E280", place, source=clip(source), why=_WHY[problem])
