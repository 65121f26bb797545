"""What is sent and answered about several people who write one project."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from heartrule.authoring.data_merge import ConflictKind
from heartrule.identity.principal import LONGEST_ID
from heartrule.server.bodies import Body, speakable
from heartrule.server.shapes import Count, Shape
from heartrule.server.workbench.bodies import Number, Path, Texts, Title
from heartrule.server.workbench.shapes import ChangeShape

Words = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=4_000, repr=False)]
Who = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=LONGEST_ID)]
Steps = Annotated[list[Annotated[str, Field(max_length=200)] | int], Field(max_length=41)]
Mentions = Annotated[list[Who], Field(max_length=20)]

# sharing


class ColleagueShape(Shape):
    """Somebody who writes scripts."""

    model_config = ConfigDict(title="AuthorPerson")

    id: str
    name: str
    me: bool


class GroupShape(Shape):
    """``mine``: the asker made it, and may change it."""

    model_config = ConfigDict(title="AuthorGroup")

    id: str
    name: str
    members: list[str]
    mine: bool


class PeopleShape(Shape):
    model_config = ConfigDict(title="AuthorPeople")

    people: list[ColleagueShape]
    groups: list[GroupShape]


class NewGroup(Body):
    name: Title
    members: Annotated[list[Who], Field(max_length=500)] = []


class ShareShape(Shape):
    """``who``: the id of somebody, or ``group:`` and the id of a group."""

    model_config = ConfigDict(title="ProjectShare")

    who: str
    level: Literal["read", "write"]


class SharesShape(Shape):
    model_config = ConfigDict(title="ProjectShares")

    owner: str
    shares: list[ShareShape]


class NewShares(Body):
    """``level`` null: no longer."""

    who: Who
    level: Literal["read", "write"] | None


class CopiedFromShape(Shape):
    """What a project is a copy of. ``there``: the asker may still open it; ``changes``: what changed there since."""

    model_config = ConfigDict(title="ProjectOrigin")

    origin: str | None
    name: str
    there: bool
    changes: list[ChangeShape]


# merging


class TakenConflict(Body):
    """A conflict of which theirs is taken: the ``number`` of those of its ``file``."""

    file: Path
    number: Number


class NewMerge(Body):
    """``base``: the version that what is sent was made of; ``take``: of which conflicts theirs is to stand."""

    base: Number
    changes: Texts = {}
    take: Annotated[list[TakenConflict], Field(max_length=1_000)] = []


class ConflictShape(Shape):
    """What both changed, each otherwise; null where one has nothing there. ``path`` is where it stands in what is
    merged; empty for lines, comments and whole files. ``kind``: another value; a node that one took out and the other
    changed; a node that each moved into another one, or items that each put in another order: then the values are
    names. ``node``: the node that it is about, or the nearest one around it, where it stands in what was sent; empty
    as ``path`` is."""

    model_config = ConfigDict(title="MergeConflict")

    file: str
    number: Count
    path: list[str | int]
    kind: ConflictKind
    node: list[str | int]
    base: Any
    ours: Any
    theirs: Any
    taken: bool


class MergedShape(Shape):
    """``texts``: all files of what is merged that are other than in ``version``, the newest; null takes one away.
    Nothing is saved."""

    model_config = ConfigDict(title="MergedTexts")

    version: Count
    author: str
    texts: dict[str, str | None]
    conflicts: list[ConflictShape]


# comments


class SpotShape(Shape):
    model_config = ConfigDict(title="CommentPlace")

    file: str
    path: list[str | int]


class CommentShape(Shape):
    """``mentions``: the ids of whom it names."""

    model_config = ConfigDict(title="Comment")

    number: Count
    author: str
    name: str
    mine: bool
    at: datetime
    text: str
    mentions: list[str]


class ThreadShape(Shape):
    """``spot``: where its node stands in the texts that were asked about; null: it is not in them. ``last``: where it
    stood last."""

    model_config = ConfigDict(title="CommentThread")

    id: str
    resolved: bool
    created_at: datetime
    spot: SpotShape | None
    last: SpotShape
    comments: list[CommentShape]


class ThreadList(Shape):
    model_config = ConfigDict(title="CommentThreads")

    threads: list[ThreadShape]


class WithTexts(Body):
    """``texts``: what is not saved, laid over what is."""

    texts: Texts = {}


class NewThread(Body):
    """At the node at ``path`` of ``file``, in the texts with ``texts`` over them; an empty path is the file."""

    file: Path
    path: Steps
    text: Words
    mentions: Mentions = []
    texts: Texts = {}


class NewComment(Body):
    text: Words
    mentions: Mentions = []


class NewResolution(Body):
    resolved: bool


class MailShape(Shape):
    """``address`` null: no mail is sent. ``possible``: the server has a mail server."""

    model_config = ConfigDict(title="CommentMail")

    address: str | None
    possible: bool


class NewMail(Body):
    address: Annotated[
        str | None, Field(max_length=200, pattern=r"^[^@\s<>\"(),:;\[\]\\]+@[A-Za-z0-9.-]+$", repr=False)
    ]


# presence


class NewPlace(Body):
    """What a tab shows: a node, or a file without one. ``editing``: its settings are open or its text is being typed
    in."""

    file: Path | None = None
    path: Steps = []
    editing: bool = False


class HereShape(Shape):
    model_config = ConfigDict(title="AuthorHere")

    tab: str
    who: str
    name: str
    me: bool
    file: str | None
    path: list[str | int]
    editing: bool


class HereList(Shape):
    model_config = ConfigDict(title="AuthorsHere")

    here: list[HereShape]


class NewsShape(Shape):
    """``version``: the newest; ``comments``: another one whenever something was said or settled."""

    model_config = ConfigDict(title="ProjectNews")

    version: Count
    comments: str


# who wrote it, and how good it is


class BlameLines(Shape):
    """Lines ``first`` to ``last``, from 1, as they were written in one version."""

    model_config = ConfigDict(title="WrittenLines")

    first: Count
    last: Count
    version: Count
    author: str
    at: datetime
    note: str


class BlameShape(Shape):
    model_config = ConfigDict(title="WrittenBy")

    version: Count
    lines: list[BlameLines]
