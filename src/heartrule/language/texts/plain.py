"""YAML of ours that needs no places: texts, tables, phrases. Read by the rules of YAML 1.2, so that it says the same to
any reader; scripts, which others write, are read by ``heartrule.language.yaml``."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import yaml

from heartrule.language.texts.scalars import Scalar, resolve

_PLAIN = "tag:heartrule,2026:plain"
_MERGE = "tag:yaml.org,2002:merge"


class _Loader(yaml.CSafeLoader):
    """Plain scalars mean what they mean in scripts; what YAML 1.1 makes of ``no``, dates and ``1:30`` is text."""

    yaml_implicit_resolvers = {None: [(_PLAIN, re.compile(""))], "<": [(_MERGE, re.compile("<<$"))]}


def _scalar(loader: _Loader, node: yaml.ScalarNode) -> Scalar:
    return resolve(node.value)


_Loader.add_constructor(_PLAIN, _scalar)


def read_yaml(text: str) -> Any:
    """Raises ``yaml.YAMLError``."""
    return yaml.load(text, _Loader)


def packaged_yaml(package: str, *path: str) -> Any:
    """A file that is part of ``package``."""
    return read_yaml(files(package).joinpath(*path).read_text(encoding="utf-8"))
