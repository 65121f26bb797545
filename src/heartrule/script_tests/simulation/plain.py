"""A report for programs: the same bytes for the same order, so that two runs can be compared."""

from __future__ import annotations

from typing import Any

from heartrule.script_tests.simulation.figures import Figures, Topic
from heartrule.script_tests.simulation.findings import Finding
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.report import Report, cost_of
from heartrule.script_tests.simulation.simulated_session import Exchange, SimulatedSession


def plain(report: Report) -> dict[str, Any]:
    """Figures of all and by persona, every finding, every session in short, and the conversations to read."""
    order = report.order
    return {
        "script": report.script.id,
        "bundle": report.script.bundle,
        "seed": order.seed,
        "sessions_each": order.sessions,
        "personas": list(report.personas),
        "model": report.model,
        "persona_model": report.plays,
        "failed": report.grave > 0,
        "stood_in": report.stood_in,
        "moves": report.moves,
        "figures": _figures(report.figures),
        "by_persona": {who: _figures(figures) for who, figures in report.by_persona.items()},
        "findings": [_finding(each) for each in report.figures.findings],
        "sessions": [_session(held) for held in report.sessions],
        "conversations": [
            {"session": held.name, "turns": [_turn(e) for e in held.exchanges]} for held in report.to_read
        ],
    }


def _figures(figures: Figures) -> dict[str, Any]:
    safety = figures.safety
    return {
        "sessions": figures.sessions,
        "outcomes": figures.outcomes,
        "rounds": list(figures.rounds),
        "seconds": list(figures.seconds),
        "spent": _spent(figures.spent),
        "phases": [
            {"phase": each.id, "conditional": each.conditional, "reached": each.reached} for each in figures.phases
        ],
        "topics": [_topic(each) for each in figures.topics],
        "stopped_at": {str(place): count for place, count in figures.where},
        "misread": [
            {"at": str(place), "reason": reason, "times": times, "words": words}
            for place, reason, times, words in figures.misread
        ],
        "safety": {
            "voiced": safety.voiced,
            "answered": safety.answered,
            "in_doubt": safety.in_doubt,
            "false_alarms": safety.false_alarms,
            "unclaimed": safety.unclaimed,
        },
    }


def _topic(topic: Topic) -> dict[str, Any]:
    return {
        "topic": topic.id,
        "sessions": len(topic.rounds),
        "rounds": topic.rounds,
        "seconds": topic.seconds,
        "spent": _spent(topic.spent),
        "lost": dict(topic.lost),
        "unfinished": dict(sorted(topic.unfinished.items())),
    }


def _spent(spent: ModelSpend) -> dict[str, Any]:
    return {
        "calls": spent.calls,
        "failed": spent.failed,
        "tokens_in": spent.tokens_in,
        "tokens_out": spent.tokens_out,
        "cost": cost_of(spent),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "session": finding.session,
        "turn": finding.turn,
        "at": str(finding.place),
        "what": finding.what,
        "times": finding.times,
    }


def _session(held: SimulatedSession) -> dict[str, Any]:
    return {
        "session": held.name,
        "outcome": held.outcome,
        "why": held.why,
        "at": str(held.last),
        "rounds": held.rounds,
        "seconds": held.seconds,
    }


def _turn(each: Exchange) -> dict[str, Any]:
    move = each.move
    told: dict[str, Any] = {"at": each.at, "place": str(each.before)}
    if move is not None:
        told |= {"deed": move.deed, move.kind: move.words}
    if each.noticed.crisis:
        told["crisis"] = each.noticed.crisis
    return {**told, "said": list(each.said)}
