"""A script file: what its top level may hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from heartrule.language.nodes import Awareness, Json, Node, Role, Session, Skill, Variable
from heartrule.language.nodes.forms import Form

ASIDE = "x-"
"""Keys of the top level that begin so hold what is used elsewhere in the file by its anchor; they are nothing else."""


class File(Node):
    """The top level of any script file. ``metadata`` is for whoever reads the file: nothing in it is executed."""

    model_config = ConfigDict(json_schema_extra={"patternProperties": {f"^{ASIDE}": True}})

    metadata: dict[str, Json] | None = None
    sessions: list[Session] = []
    skills: list[Skill] = []
    awareness: list[Awareness] = []
    global_: Annotated[list[Variable], Field(alias="global")] = []
    forms: list[Form] = []
    roles: list[Role] = []
