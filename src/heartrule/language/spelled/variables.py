"""Variables: ``auto: true`` and ``update: auto`` = ``listen``, ``extraction_prompt`` = ``define``."""

from __future__ import annotations

from heartrule.language.rewriting import Edit
from heartrule.language.spelled.found import Made, Spelled, both

_LISTEN = "listen: {mode: passive}"


def spelled(here: Spelled) -> Made:
    """A declaration, or an item of ``output``."""
    yield from here.rename({"extraction_prompt": "define"})
    for entry in here.node.entries:
        if entry.value.kind != "scalar":
            continue
        if entry.name == "auto" and entry.value.value is False and len(here.node.entries) > 1:
            yield here.page.remove(here.node, entry)
        elif (entry.name, entry.value.value) in (("auto", True), ("update", "auto")):
            if here.get("listen"):
                yield both(entry, "listen")
            else:
                yield [Edit(entry.key.start, entry.value.end, (_LISTEN,))]
