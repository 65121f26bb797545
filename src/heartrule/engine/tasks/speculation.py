"""The action's own call is made before it is known what else the person's words say. Whether its reply still stands.

It stands unless something that the script's own texts read has changed; then it is asked for once more, with what is
known now, and that one stands whatever happens.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace

from heartrule.engine.session.events import Replied
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.prompt_context import is_current
from heartrule.engine.work import Work

RESTATED = (
    "known", "facts", "later", "time", "monitor_feedback", "case", "open", "closed", "hot", "place", "pace",
    "following_open",
)  # fmt: skip
"""What a prompt shows beside the script's texts: new values only say again what the newest words say, and feedback is
for the next prompt. A stretch holds its reply against what is known by then (``stretches/stretch.py``)."""


def settled(
    work: Work, task: Task, answers: Mapping[str, Answer], again: Callable[[], Task | None], *, beside: bool
) -> Generator[tuple[Task, ...], Mapping[str, Answer], Answer]:
    """The answer that counts. ``again`` builds the task anew; ``beside``: something else was asked beside it, and has
    been applied since."""
    first = answers[task.key]
    stands = not beside or first.data is None or is_current(work, task.context)
    why = None if stands else _changed(work, task, again)
    action = work.frame.id if work.state.running and work.state.running.action else None
    if why is None:
        work.emit(Replied(action=action, task=task.template, speculative=beside))
        return first
    anew, changes = why
    second = (yield (anew,))[anew.key]
    work.emit(Replied(action=action, task=task.template, speculative=beside, redone=True, why=changes))
    return second if second.data is not None else _wordless(first)


def _changed(work: Work, task: Task, again: Callable[[], Task | None]) -> tuple[Task, list[str]] | None:
    asked, fed = work.models.number, set(work.models.fed)
    anew = again()
    changes = differences(task, anew, work.world.script.templates) if anew is not None else []
    if anew is None or not changes:
        work.models.number, work.models.fed = asked, fed
        return None
    return replace(anew, key=f"{anew.key} again", instead=task.key), changes


def differences(before: Task, after: Task, templates: Mapping[str, str]) -> list[str]:
    """What the script's texts read otherwise now, by name. ``templates`` are the project's own: a script variable that
    one of them names is read as well."""
    found = {
        name
        for old, new in ((before.values, after.values), (before.context.values, after.context.values))
        for name in old.keys() | new.keys()
        if name not in RESTATED and old.get(name) != new.get(name)
    }
    old, new = before.context.variables, after.context.variables
    names = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    schemes = ("default/", f"{after.context.scheme}/")
    texts = [text for path, text in templates.items() if path.startswith(schemes) and path.endswith(".md")]
    return sorted(found | {name for name in names if any(name in text for text in texts)})


def _wordless(answer: Answer) -> Answer:
    """What the first answer decided and found stands; its words rest on what is no longer so."""
    kept = {key: value for key, value in (answer.data or {}).items() if key not in ("content", "response")}
    return replace(answer, status="answered", data=kept)
