"""What a project makes of warnings: ``lint: {W233: off, W231: error}`` in ``project.yaml``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from heartrule.language.findings import Finding

SeveritySetting = Literal["off", "warning", "error"]


def weighed(findings: Iterable[Finding], wanted: Mapping[str, SeveritySetting]) -> Iterator[Finding]:
    """Findings as the project wants them. What stops loading stays what it is; a warning that is raised to an error
    fails ``heartrule lint`` and stops nothing else."""
    for found in findings:
        severity = wanted.get(found.code)
        if severity is None or found.stops:
            yield found
        elif severity != "off":
            yield replace(found, severity=severity)
