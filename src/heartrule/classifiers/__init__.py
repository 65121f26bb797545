"""The learned readers that sessions are given beside their rules: ours, as a file of weights, or another package's.

``HEARTRULE_RISK_CLASSIFIER`` says which: ``shipped`` (the default), ``none``, or a name that an installed package
announces under ``heartrule.classifiers``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.metadata import entry_points

from heartrule.engine.awareness.linear import LinearClassifier, NoClassifier, unpacked
from heartrule.engine.session.classifier import Classifier

VARIABLE = "HEARTRULE_RISK_CLASSIFIER"
GROUP = "heartrule.classifiers"
"""Entry point group: a name and a callable without arguments that gives a ``Classifier``."""
OWN_DANGER = "own_danger"
"""What ours was trained to hear: a wish to die, suicide or self-harm, the writer's own and present."""
SHIPPED, NONE = "shipped", "none"
FILE = f"{OWN_DANGER}.bin"

Classifiers = Mapping[str, Classifier]
"""By what they hear, as awareness scripts name it."""


class UnknownClassifier(ValueError):
    """``HEARTRULE_RISK_CLASSIFIER`` names none that can be used. The text is for whoever set it."""


def configured(environment: Mapping[str, str] | None = None) -> Classifiers:
    """As the environment says. Raises ``UnknownClassifier``."""
    wanted = (os.environ if environment is None else environment).get(VARIABLE, "").strip() or SHIPPED
    return named(wanted)


@cache
def named(name: str) -> Classifiers:
    """Raises ``UnknownClassifier``."""
    if name == NONE:
        return {}
    if name == SHIPPED:
        return {OWN_DANGER: shipped()}
    for each in entry_points(group=GROUP, name=name):
        made: Classifier = each.load()()
        return {OWN_DANGER: made}
    known = ", ".join([SHIPPED, NONE, *sorted(each.name for each in entry_points(group=GROUP))])
    raise UnknownClassifier(f"{VARIABLE}: no installed package announces a classifier {name!r}; there are: {known}")


def as_kept(names: Mapping[str, str], present: Classifiers) -> Classifiers:
    """Those that read along when a turn was held, by the names it wrote down: what is configured now, else ours."""
    return {hears: present.get(hears) or shipped() for hears in names}


@cache
def shipped() -> LinearClassifier:
    try:
        return LinearClassifier(unpacked((resources.files(__name__) / FILE).read_bytes()))
    except (OSError, NoClassifier) as error:
        raise UnknownClassifier(f"{FILE}: {error}") from None
