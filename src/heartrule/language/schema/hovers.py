"""What editors show when the pointer rests on a key, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.plain import read_yaml

_OWN = Path(__file__).with_name("descriptions.yaml")


def hover(model: type[BaseModel], key: str, kind: str | None = None) -> Bilingual | None:
    """What a key of a model means; ``kind`` is the type of an action. None where nothing is written of it."""
    own, actions = _texts()
    names = [each.__name__ for each in model.__mro__]
    # What outputs say of a variable's rules holds for declarations.
    names += ["Get"] if "VariableRules" in names else []
    told: list[Any] = [actions["types"].get(kind, {}).get("fields", {}).get(key)] if kind else []
    told += [own["models"].get(name, {}).get(key) for name in names]
    told += [actions["models"].get(name, {}).get("fields", {}).get(key) for name in names]
    told += [actions["fields"].get(key), own["any"].get(key)] if kind else [own["any"].get(key), _shared(actions, key)]
    return next((_said(each) for each in told if each), None)


def summary(kind: str) -> Bilingual | None:
    """What an action does."""
    told = _texts()[1]["types"].get(kind, {}).get("summary")
    return _said(told) if told else None


def _shared(actions: Mapping[str, Any], key: str) -> Any:
    """``id`` and ``condition`` mean elsewhere what they mean in actions; most others do not."""
    return actions["fields"].get(key) if key in ("condition", "tone", "output", "value", "type") else None


def _said(told: Any) -> Bilingual:
    return Bilingual(told[0], told[1]) if isinstance(told, list) else Bilingual(told["zh"], told["en"])


@cache
def _texts() -> tuple[dict[str, Any], dict[str, Any]]:
    """Ours, and those of the action reference: in an installed package, else in the checkout."""
    installed = Path(__file__).parents[2] / "_actions.yaml"
    reference = installed if installed.is_file() else Path(__file__).parents[4] / "docs" / "actions.yaml"
    own, actions = (read_yaml(path.read_text(encoding="utf-8")) for path in (_OWN, reference))
    return own, actions
