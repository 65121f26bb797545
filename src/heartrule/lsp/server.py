"""``heartrule lsp``: a language server for any editor. What fails is told to the editor, and nothing of a script is
executed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.metadata import version
from typing import Any, TypeVar
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    default_converter,
)

from heartrule.authoring import completion, hover, occurrences, outline, rename
from heartrule.authoring.editor_queries import ASKED, EditorQuery
from heartrule.authoring.operations import TextMoved
from heartrule.authoring.outline import Symbol
from heartrule.authoring.positions import Position, Range, characters, utf16
from heartrule.authoring.splices import CannotEdit
from heartrule.authoring.workspace import Registry, Snapshot
from heartrule.language.findings import Finding
from heartrule.language.findings.documents import diagnostic
from heartrule.language.findings.mends import TextEdit
from heartrule.language.formatting import formatted
from heartrule.locales import is_chinese
from heartrule.lsp.folders import Folders
from heartrule.lsp.rooms import Open, Projects, files_of

OWN = "heartrule/"
"""What the names of our own questions begin with."""
REFUSED = -32803
_SERVICES: WeakKeyDictionary[LanguageServer, _Service] = WeakKeyDictionary()

_SYMBOLS = {
    "session": lsp.SymbolKind.Module,
    "phase": lsp.SymbolKind.Namespace,
    "topic": lsp.SymbolKind.Class,
    "skill": lsp.SymbolKind.Function,
    "action": lsp.SymbolKind.Method,
    "awareness": lsp.SymbolKind.Event,
    "form": lsp.SymbolKind.Struct,
    "variable": lsp.SymbolKind.Variable,
}
_COMPLETIONS = {
    "key": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.EnumMember,
    "variable": lsp.CompletionItemKind.Variable,
    "skill": lsp.CompletionItemKind.Function,
    "awareness": lsp.CompletionItemKind.Event,
    "form": lsp.CompletionItemKind.Struct,
    "topic": lsp.CompletionItemKind.Class,
    "type": lsp.CompletionItemKind.Class,
}


def language_server(registry: Registry, lang: str, projects: Projects | None = None) -> LanguageServer:
    """A server that has not been started. ``lang``: what it says is in Chinese (any ``zh…`` tag) or English.
    ``projects``: where files are; by default on this machine's disk."""
    server = LanguageServer(
        "heartrule",
        version("heartrule"),
        text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
        protocol_cls=Spoken,
        converter_factory=_converter,
    )
    service = _Service(server, projects or Folders(registry), registry, lang)
    service.offer()
    _SERVICES[server] = service
    return server


async def look_again(server: LanguageServer, change: Callable[[], None]) -> None:
    """Something beside what is typed has changed: it is changed while nothing is worked out, and looked at."""
    await _SERVICES[server].changed(change)


@cache
def _converter() -> Any:
    """Made once: what it works out of the protocol's types is large."""
    return default_converter()  # type: ignore[no-untyped-call]


class Spoken(LanguageServerProtocol):
    """Our own questions come as they were sent; the others as the protocol has them."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        method = data.get("method")
        if "jsonrpc" not in data or not isinstance(method, str) or not method.startswith(OWN):
            return super().structure_message(data)
        if "id" in data:
            return JsonRPCRequestMessage(data["id"], method, "2.0", data.get("params"))
        return JsonRPCNotification(method, "2.0", data.get("params"))


T = TypeVar("T")


async def _on_thread(work: Callable[..., T], *given: Any) -> T:
    """The result of ``work``, done on a thread. A thread cannot be called off: who is cancelled waits for its end
    before giving way, or the next one would change texts that are still being read."""
    doing = asyncio.ensure_future(asyncio.to_thread(work, *given))
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise


class _Service:
    """Answers are worked out on a thread, one at a time, and those that nobody waits for any more are not begun."""

    def __init__(self, server: LanguageServer, projects: Projects, registry: Registry, lang: str) -> None:
        self._server, self._projects, self._registry, self._lang = server, projects, registry, lang
        self._turn = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._told: dict[str, list[lsp.Diagnostic]] = {}
        self._waiting: dict[str, str | None] = {}
        self._last = self._typing = ""

    def offer(self) -> None:
        completion = lsp.CompletionOptions(trigger_characters=["{", ":", " ", "-"])
        mends = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll])
        self._server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(self._notice())
        self._server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(self._notice(typed=True))
        self._server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(self._notice())
        self._server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(self._notice())
        self._feature(lsp.TEXT_DOCUMENT_HOVER, self._hover)
        self._feature(lsp.TEXT_DOCUMENT_DEFINITION, self._definition)
        self._feature(lsp.TEXT_DOCUMENT_REFERENCES, self._references)
        self._feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, self._highlights)
        self._feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME, self._renameable)
        self._feature(lsp.TEXT_DOCUMENT_RENAME, self._rename)
        self._feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._symbols)
        self._feature(lsp.WORKSPACE_SYMBOL, self._everywhere)
        self._feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE, self._folds)
        self._feature(lsp.TEXT_DOCUMENT_FORMATTING, self._format)
        self._feature(lsp.TEXT_DOCUMENT_CODE_ACTION, self._mends, mends)
        self._feature(lsp.TEXT_DOCUMENT_COMPLETION, self._complete, completion)
        for name in ASKED:
            self._feature(f"{OWN}{name}", partial(self._asked, name))

    def _feature(self, name: str, method: Callable[[Any], Any], options: Any = None) -> None:
        async def handler(given: Any) -> Any:
            async with self._turn:
                await _on_thread(self._catch_up)
                return await _on_thread(method, given)

        self._server.feature(name, options)(handler)

    # what is open

    def _notice(self, *, typed: bool = False) -> Callable[[Any], None]:
        """A text has changed: what is wrong now is looked at anew, and what was being looked at no more."""

        def handler(given: Any) -> None:
            uri = given.text_document.uri
            document = self._server.workspace.text_documents.get(unquote(uri))
            self._waiting[uri] = document.source if document is not None else None
            self._typing = uri if typed else self._typing
            self.look(uri)

        return handler

    async def changed(self, change: Callable[[], None]) -> None:
        async with self._turn:
            await _on_thread(change)
        if self._last:
            self.look()

    def look(self, uri: str | None = None) -> None:
        """Say what is wrong, as soon as nothing else is asked."""
        if self._looking is not None:
            self._looking.cancel()
        self._looking = asyncio.ensure_future(self._look(uri or self._last))
        self._last = uri or self._last

    async def _look(self, uri: str) -> None:
        async with self._turn:
            found = await _on_thread(self._findings, uri)
        for each, own in found:
            self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=each, diagnostics=own))
        if uri == self._typing:
            async with self._turn:
                await _on_thread(self._ready, uri)

    def _findings(self, uri: str) -> list[tuple[str, list[lsp.Diagnostic]]]:
        """Those of the files in which they are others than were told."""
        self._catch_up()
        found = self._projects.at(uri)
        if found is None:
            return []
        now, news = found.workspace.now, []
        for file in files_of(found):
            own = [_diagnostic(now, each, self._lang) for each in now.findings_of(file)]
            address = found.uri(file)
            if self._told.get(address, None if own else []) != own or address == uri:
                self._told[address] = own
                news.append((address, own))
        for gone in [each for each in self._told if self._told[each] and not self._is_there(found, each)]:
            self._told[gone] = []
            news.append((gone, []))
        return news

    def _ready(self, uri: str) -> None:
        """The next change in this file is to be quick."""
        found = self._projects.at(uri)
        if found is not None and not self._waiting:
            found.workspace.ready(found.name)

    def _is_there(self, found: Open, uri: str) -> bool:
        other = self._projects.at(uri)
        return other is None or other.workspace is not found.workspace or other.name in found.workspace.texts

    def _catch_up(self) -> None:
        """Take what was typed since; None: the file was closed."""
        while self._waiting:
            uri, text = self._waiting.popitem()
            if text is None:
                self._projects.closed(uri)
            else:
                self._projects.at(uri, text)

    def _open(self, uri: str) -> Open | None:
        return self._projects.at(uri)

    def _at(self, given: Any) -> tuple[Open, Snapshot, Position] | None:
        found = self._open(given.text_document.uri)
        if found is None:
            return None
        now = found.workspace.now
        lines = now.texts.get(found.name, "").split("\n")
        line = lines[given.position.line] if given.position.line < len(lines) else ""
        return found, now, Position(given.position.line + 1, characters(line, given.position.character))

    def _asked(self, name: str, given: Any) -> Any:
        """One of our own questions. What cannot be done is refused with the reason."""
        params = given if isinstance(given, dict) else {}
        workspace = self._projects.asked(params)
        if workspace is None:
            raise JsonRpcInvalidParams("uri")
        try:
            return ASKED[name](EditorQuery(workspace, self._registry, self._lang, params))
        except CannotEdit as refused:
            raise JsonRpcException(refused.why.localized(self._lang), REFUSED) from None
        except TextMoved:
            raise JsonRpcContentModified("the text has changed") from None

    # what is asked

    def _hover(self, given: lsp.HoverParams) -> lsp.Hover | None:
        if (at := self._at(given)) is None:
            return None
        found, now, position = at
        told = hover.hover_text(now, found.name, position, self._registry, self._lang)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, told)) if told else None

    def _complete(self, given: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        if (at := self._at(given)) is None:
            return []
        found, now, position = at
        offered = completion.completions(now, found.name, position, self._registry, self._lang)
        return [
            lsp.CompletionItem(
                label=each.text,
                kind=_COMPLETIONS[each.kind],
                detail=each.detail or None,
                documentation=each.about or None,
                sort_text=f"{number:05}",
                text_edit=lsp.TextEdit(
                    _range(now, found.name, each.range), f"{each.text}: " if each.kind == "key" else each.text
                ),
            )
            for number, each in enumerate(offered)
        ]

    def _definition(self, given: lsp.DefinitionParams) -> list[lsp.Location]:
        if (at := self._at(given)) is None:
            return []
        found, now, position = at
        named = occurrences.at(now, found.name, position)
        return _locations(found, now, occurrences.definitions(now, named.thing)) if named is not None else []

    def _references(self, given: lsp.ReferenceParams) -> list[lsp.Location]:
        if (at := self._at(given)) is None:
            return []
        found, now, position = at
        named = occurrences.at(now, found.name, position)
        own = occurrences.occurrences_of(now, named.thing) if named is not None else ()
        kept = [each for each in own if given.context.include_declaration or each.role != "declared"]
        return _locations(found, now, kept)

    def _highlights(self, given: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        if (at := self._at(given)) is None:
            return []
        found, now, position = at
        named = occurrences.at(now, found.name, position)
        own = occurrences.occurrences_of(now, named.thing) if named is not None else ()
        return [
            lsp.DocumentHighlight(
                _range(now, each.file, each.range),
                lsp.DocumentHighlightKind.Read if each.role in ("read", "named") else lsp.DocumentHighlightKind.Write,
            )
            for each in own
            if each.file == found.name
        ]

    def _renameable(self, given: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        if (at := self._at(given)) is None:
            return None
        found, now, position = at
        named = occurrences.at(now, found.name, position)
        if named is None:
            return None
        text = now.lines(found.name)[named.range.start.line - 1]
        own = text[named.range.start.column - 1 : named.range.end.column - 1]
        return lsp.PrepareRenamePlaceholder(range=_range(now, found.name, named.range), placeholder=own)

    def _rename(self, given: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        if (at := self._at(given)) is None:
            return None
        found, now, position = at
        named = occurrences.at(now, found.name, position)
        if named is None:
            return None
        try:
            changes = rename.renamed(found.workspace, named, given.new_name)
        except rename.CannotRename as refused:
            raise JsonRpcInvalidParams(refused.why.localized(self._lang)) from None
        edits: dict[str, list[lsp.TextEdit]] = {}
        for each in changes:
            edits.setdefault(found.uri(each.file), []).append(
                lsp.TextEdit(_range(now, each.file, each.range), each.text)
            )
        return lsp.WorkspaceEdit(changes=edits)

    def _symbols(self, given: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        found = self._open(given.text_document.uri)
        if found is None:
            return []
        now = found.workspace.now
        return [_symbol(now, found.name, each) for each in outline.outline(now, found.name)]

    def _everywhere(self, given: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        found = self._open(self._last)
        if found is None:
            return []
        now, wanted = found.workspace.now, given.query.casefold()
        return [
            lsp.SymbolInformation(
                location=lsp.Location(found.uri(file), _range(now, file, each.head)),
                name=each.name or each.kind,
                kind=_SYMBOLS[each.kind],
                container_name=each.detail or None,
            )
            for file in files_of(found)
            for top in outline.outline(now, file)
            for each in top.all()
            if wanted in each.name.casefold() or wanted in each.detail.casefold()
        ]

    def _folds(self, given: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        found = self._open(given.text_document.uri)
        if found is None:
            return []
        every = (part for each in outline.outline(found.workspace.now, found.name) for part in each.all())
        return [
            lsp.FoldingRange(start_line=each.whole.start.line - 1, end_line=each.whole.end.line - 1)
            for each in every
            if each.whole.end.line > each.whole.start.line
        ]

    def _format(self, given: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        found = self._open(given.text_document.uri)
        if found is None:
            return []
        text = found.workspace.texts[found.name]
        made = formatted(text.encode("utf-8", "surrogatepass"), found.name, self._registry)[0].decode("utf-8")
        if made == text:
            return []
        lines = text.split("\n")
        end = lsp.Position(len(lines) - 1, utf16(lines[-1], len(lines[-1]) + 1))
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), made)]

    def _mends(self, given: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = self._open(given.text_document.uri)
        if found is None:
            return []
        now = found.workspace.now
        first, last = given.range.start.line + 1, given.range.end.line + 1
        own = now.findings_of(found.name)
        mends = [
            _action(found, now, each, self._lang)
            for each in own
            if each.mend is not None and first <= each.line <= last
        ]
        every = _all_mends(found, now, own, self._lang)
        return [*mends, every] if every is not None else mends


# between our positions and the protocol's


def _range(now: Snapshot, file: str, range_: Range) -> lsp.Range:
    lines = now.texts.get(file, "").split("\n")

    def at(position: Position) -> lsp.Position:
        line = lines[position.line - 1] if 0 < position.line <= len(lines) else ""
        return lsp.Position(position.line - 1, utf16(line, position.column))

    return lsp.Range(at(range_.start), at(range_.end))


def _locations(found: Open, now: Snapshot, own: Sequence[occurrences.Occurrence]) -> list[lsp.Location]:
    return [lsp.Location(found.uri(each.file), _range(now, each.file, each.range)) for each in own]


def _diagnostic(now: Snapshot, found: Finding, lang: str) -> lsp.Diagnostic:
    lines = now.texts.get(found.file, "").split("\n")
    line = lines[found.line - 1] if 0 < found.line <= len(lines) else ""
    end = max(found.column + 1, len(line.rstrip()) + 1)
    told = found.localized(lang)
    return lsp.Diagnostic(
        range=_range(
            now, found.file, Range(Position(max(1, found.line), found.column), Position(max(1, found.line), end))
        ),
        message=f"{told.message}\n{told.hint}" if told.hint else told.message,
        severity=lsp.DiagnosticSeverity.Error if found.severity == "error" else lsp.DiagnosticSeverity.Warning,
        code=found.code,
        source="heartrule",
    )


def _action(found: Open, now: Snapshot, finding: Finding, lang: str) -> lsp.CodeAction:
    assert finding.mend is not None
    edits = [_edit(now, found.name, each) for each in finding.mend.edits]
    title = finding.localized(lang).hint or diagnostic(finding.code).mend.localized(lang) or finding.code
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(now, finding, lang)],
        is_preferred=finding.mend.safe,
        edit=lsp.WorkspaceEdit(changes={found.uri(found.name): edits}),
    )


def _all_mends(found: Open, now: Snapshot, findings: Sequence[Finding], lang: str) -> lsp.CodeAction | None:
    """All mends of a file that can be meant in one way only, those that do not get in each other's way."""
    kept: list[TextEdit] = []
    for finding in findings:
        edits = finding.mend.edits if finding.mend is not None and finding.mend.safe else ()
        apart = all(each[:2] >= other[2:4] or each[2:4] <= other[:2] for each in edits for other in kept)
        if edits and apart:
            kept += edits
    if not kept:
        return None
    title = "改好所有只有一种改法的问题" if is_chinese(lang) else "Mend all that can be mended in one way only"
    edit = lsp.WorkspaceEdit(changes={found.uri(found.name): [_edit(now, found.name, each) for each in kept]})
    return lsp.CodeAction(title=title, kind=lsp.CodeActionKind.SourceFixAll, edit=edit)


def _edit(now: Snapshot, file: str, edit: TextEdit) -> lsp.TextEdit:
    place = Range(Position(edit.line, edit.column), Position(edit.end_line, edit.end_column))
    return lsp.TextEdit(_range(now, file, place), edit.text)


def _symbol(now: Snapshot, file: str, symbol: Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name or symbol.kind,
        kind=_SYMBOLS[symbol.kind],
        range=_range(now, file, symbol.whole),
        selection_range=_range(now, file, symbol.head),
        detail=symbol.detail or None,
        children=[_symbol(now, file, each) for each in symbol.below],
    )
