"""What the debugger is sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from heartrule.debugger import answers
from heartrule.debugger.breakpoints import Breakpoint
from heartrule.debugger.stepping import Go
from heartrule.script_tests.simulation.persona import SHIPPED
from heartrule.server.bodies import Body
from heartrule.server.workbench.bodies import Note

FILE = r"^[^/\\\x00][^\\\x00]{0,254}$"


def _inside(path: str) -> str:
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError("a path inside the project")
    return path


File = Annotated[str, Field(pattern=FILE), AfterValidator(_inside)]
Words = Annotated[str, Field(max_length=400_000)]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Texts = Annotated[dict[File, Words | None], Field(max_length=500, repr=False)]
"""By path; null: the file is not there. What is not named is as it is saved."""


class AnswerSettings(Body, answers.AnswerPolicy):
    __doc__ = answers.AnswerPolicy.__doc__


class NewDebugSession(Body):
    """``project``: whose saved files the texts are laid over; without it the texts are all there is. ``script``: the id
    of a session in them. ``go``: how the first turn is gone through; ``begin`` false: it waits for that."""

    project: Annotated[str, Field(max_length=120)] = ""
    texts: Texts = {}
    script: Annotated[str, Field(max_length=240)] = ""
    name: Annotated[str, Field(max_length=120)] = ""
    variables: Annotated[dict[str, Any], Field(repr=False, max_length=200)] = {}
    answering: Annotated[AnswerSettings, Field(strict=False)] = AnswerSettings()
    breakpoints: Annotated[list[Annotated[Breakpoint, Field(strict=False)]], Field(max_length=200)] = []
    go: Go = "run"
    begin: bool = True


class GoRequest(Body):
    go: Go = "run"


class ToHere(Body):
    file: File
    line: Annotated[int, Field(ge=1, le=10**6)]
    project: Annotated[str, Field(max_length=120)] = ""


class VisitorInput(Body):
    """What the visitor does. ``form``: the fields of the form that is asked for."""

    type: Literal["message", "choice", "form_draft", "form_submit", "form_cancel", "resume", "pause", "end"]
    text: Annotated[str, Field(max_length=8_000, repr=False)] = ""
    choice: Annotated[str, Field(max_length=400, repr=False)] = ""
    form: Annotated[dict[str, Any], Field(repr=False, max_length=200)] = {}


class Breakpoints(Body):
    breakpoints: Annotated[list[Annotated[Breakpoint, Field(strict=False)]], Field(max_length=200)]


class VariableValue(Body):
    """``name`` as the script would write it: bare, or with its scope before it."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    value: Annotated[Any, Field(repr=False)] = None


class EvaluateRequest(Body):
    expression: Annotated[str, Field(min_length=1, max_length=400)]


class WatchRequest(Body):
    watches: Annotated[list[Annotated[str, Field(min_length=1, max_length=400)]], Field(max_length=50)]


class TypedAnswer(Body):
    """``key`` of the call; ``words`` as if the model had said them."""

    key: Annotated[str, Field(min_length=1, max_length=200)]
    words: Annotated[Words, Field(repr=False)]


class Back(Body):
    """One of: ``snapshot`` (its id, or the name it was given), ``message`` (its number), ``move`` (0: all of them)."""

    snapshot: Annotated[str, Field(max_length=120)] = ""
    message: Annotated[int, Field(ge=0)] = 0
    move: Annotated[int, Field(ge=0)] | None = None


class BranchRequest(Body):
    branch: Annotated[str, Field(min_length=1, max_length=20)]


class NameRequest(Body):
    name: Name


class EditRequest(Body):
    """``texts`` over what the session has now."""

    texts: Texts
    dry: bool = False


class PlayRequest(Body):
    """A recording: a branch of this session, up to its last move. ``texts`` over the present ones; ``misfit``: what is
    done where a recorded answer was given to another prompt."""

    branch: Annotated[str, Field(max_length=20)] = ""
    texts: Texts = {}
    misfit: Literal["ask", "use", "hold"] = "ask"


class VisitRequest(Body):
    """Who plays the visitor: a test file's case (``test``, its ``case`` from 0), or a ``persona``."""

    test: Annotated[str, Field(max_length=200_000, repr=False)] = ""
    case: Annotated[int, Field(ge=0, le=10_000)] = 0
    persona: Annotated[str, Field(max_length=40, description=f"One of {', '.join(SHIPPED)}.")] = ""
    moves: Annotated[int, Field(ge=1, le=100)] = 10
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class Forward(Body):
    seconds: Annotated[float, Field(gt=0, le=86_400 * 400)]


class TryRequest(Body):
    """Sentences as if the person said each of them now; nothing of the session changes."""

    sentences: Annotated[list[Annotated[str, Field(min_length=1, max_length=2_000)]], Field(max_length=200, repr=False)]
    awareness: Annotated[str, Field(max_length=240)] = ""


class ListenRequest(Body):
    """A file of labelled sentences, ``many`` of them from the ``first`` on (from 0). ``of``: whose it is; ``text``: the
    file itself, where it is ``given``. ``awareness``: only this script. ``wanted``: the labels that are to be heard;
    empty: those that are meant for a script."""

    of: Literal["project", "server", "given"] = "given"
    file: Annotated[str, Field(max_length=240)] = ""
    text: Annotated[str, Field(max_length=2_000_000, repr=False)] = ""
    awareness: Annotated[str, Field(max_length=240)] = ""
    wanted: Annotated[list[Annotated[str, Field(min_length=1, max_length=120)]], Field(max_length=50)] = []
    first: Annotated[int, Field(ge=0)] = 0
    many: Annotated[int, Field(ge=1, le=2_000)] = 200


class AskRequest(Body):
    """A call's prompt asked ``times`` times of each of ``models`` (empty: the first there is). ``layers``: other words
    for its messages, one each; ``texts``: other templates or script texts, over the present ones."""

    layers: Annotated[list[Words] | None, Field(max_length=50, repr=False)] = None
    texts: Texts = {}
    models: Annotated[list[str], Field(max_length=10)] = []
    times: Annotated[int, Field(ge=1, le=10)] = 1


class AcceptRequest(Body):
    """What is written back: a field of the call's action (``field``), or its template (``template``: the file)."""

    field: Annotated[str, Field(max_length=60)] = ""
    template: Annotated[str, Field(max_length=200)] = ""
    words: Annotated[Words, Field(repr=False)]


class ExportRequest(Body):
    name: Name


class SaveRequest(Body):
    """``note``: what is written beside the version."""

    note: Note = ""


class SharedFile(Body):
    """A file that ``GET …/file`` gave."""

    file: Annotated[dict[str, Any], Field(repr=False)]
