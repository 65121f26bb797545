"""What has to be done before a release is published: each gate is open, or says what is missing and how to mend it.
Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.language.bilingual import Bilingual
from heartrule.language.projects.project import SAFETY
from heartrule.store.releases import Proof, ReleaseRecord, Rules, Vote

Name = Literal["lint", "tests", "coverage", "debug", "notes", "review", "risk"]
SAFETY_REVIEWERS = 2
SHOWN = 20
"""Details of a gate that are told."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a release's texts. ``errors``: what keeps them from being read. ``sessions``: whether they hold
    any conversation of their own. ``debugged``: one was gone through to its end with exactly these texts."""

    release: ReleaseRecord
    rules: Rules
    errors: Sequence[Bilingual]
    sessions: bool
    tests: Proof | None
    debugged: bool
    risk: Proof | None
    votes: Sequence[Vote]
    authors: frozenset[str]
    """Who has written what is released; none of them reviews it."""

    @property
    def is_safety(self) -> bool:
        return self.release.slug == SAFETY

    @property
    def reviewers(self) -> int:
        return max(self.rules.reviewers, SAFETY_REVIEWERS) if self.is_safety else self.rules.reviewers


@dataclass(frozen=True, slots=True)
class Gate:
    """``says``: how it stands; ``mend``: what is to be done where it is not open; ``details``: one by one."""

    name: Name
    open: bool
    says: Bilingual
    mend: Bilingual | None = None
    details: tuple[Bilingual, ...] = field(default=(), repr=False)


def gates(evidence: Evidence) -> tuple[Gate, ...]:
    """In the order in which they are gone through."""
    found = [_lint(evidence), _tests(evidence)]
    if not evidence.is_safety:
        found.append(_coverage(evidence))
    if evidence.sessions:
        found.append(_debug(evidence))
    found += [_notes(evidence), _review(evidence)]
    if evidence.is_safety:
        found.append(_risk(evidence.risk))
    return tuple(found)


def _lint(evidence: Evidence) -> Gate:
    count = len(evidence.errors)
    if not count:
        return Gate("lint", True, Bilingual("检查没有错误。", "The check finds no errors."))
    return Gate(
        "lint",
        False,
        Bilingual(f"检查有 {count} 个错误。", f"The check finds {count} error(s)."),
        Bilingual(
            "在工作台改好，保存，再做一个新的发布。", "Mend them in the workbench, save, and make a new release."
        ),
        tuple(evidence.errors[:SHOWN]),
    )


def _tests(evidence: Evidence) -> Gate:
    proof = evidence.tests
    if proof is None:
        return Gate(
            "tests",
            False,
            Bilingual("测试还没有跑过。", "The tests have not been run."),
            Bilingual("按“检查”跑一遍。", "Press Check to run them."),
        )
    result = proof.result
    passed, failed, left = int(result["passed"]), list(result["failed"]), int(result["left"])
    if failed or left:
        told = tuple(Bilingual(each, each) for each in failed[:SHOWN])
        why = Bilingual(f"，{left} 个没来得及跑", f", {left} not run in time") if left else Bilingual("", "")
        return Gate(
            "tests",
            False,
            Bilingual(
                f"测试 {passed} 个通过，{len(failed)} 个没通过{why.zh}。",
                f"{passed} test(s) passed, {len(failed)} failed{why.en}.",
            ),
            Bilingual(
                "改好脚本或测试，保存，再做一个新的发布。", "Mend script or tests, save, and make a new release."
            ),
            told,
        )
    if not passed:
        return Gate(
            "tests",
            False,
            Bilingual("项目里没有能跑的测试。", "The project has no test that can be run."),
            Bilingual(
                "在 tests 文件夹里写至少一个谈话测试（….test.yaml）。",
                "Write at least one conversation test in the folder tests (….test.yaml).",
            ),
        )
    return Gate("tests", True, Bilingual(f"测试 {passed} 个全部通过。", f"All {passed} test(s) passed."))


def _coverage(evidence: Evidence) -> Gate:
    wanted = evidence.rules.coverage
    result: Mapping[str, Any] = evidence.tests.result if evidence.tests is not None else {}
    found = int(result.get("coverage", 0))
    says = Bilingual(
        f"测试走到脚本的 {found}%，要求 {wanted}%。", f"Tests come to {found}% of the scripts; {wanted}% is asked."
    )
    if found >= wanted:
        return Gate("coverage", True, says)
    missed = tuple(Bilingual(each, each) for each in list(result.get("missed", ()))[:SHOWN])
    mend = Bilingual("给没走到的地方写测试：", "Write tests for what was not come to:")
    return Gate("coverage", False, says, mend, missed)


def _debug(evidence: Evidence) -> Gate:
    if evidence.debugged:
        return Gate(
            "debug",
            True,
            Bilingual(
                "用这份文本完整走过一遍。", "One conversation with these very texts was gone through to its end."
            ),
        )
    return Gate(
        "debug",
        False,
        Bilingual("改过以后还没有完整走过一遍。", "Since the last change no conversation was gone through to its end."),
        Bilingual(
            "在工作台“试一试”或在调试器里，把一场会谈走到结束。",
            "Go through one session to its end: try it in the workbench, or in the debugger.",
        ),
    )


def _notes(evidence: Evidence) -> Gate:
    if evidence.release.notes.strip():
        return Gate("notes", True, Bilingual("写了发布说明。", "There are release notes."))
    return Gate(
        "notes",
        False,
        Bilingual("没有发布说明。", "There are no release notes."),
        Bilingual("写几句改了什么。", "Write a few words on what has changed."),
    )


def _review(evidence: Evidence) -> Gate:
    wanted = evidence.reviewers
    others = [each for each in evidence.votes if each.who not in evidence.authors]
    against = [each for each in others if each.verdict == "changes"]
    agreed = [each for each in others if each.verdict == "approve"]
    if against:
        told = tuple(Bilingual(f"{each.name}：{each.note}", f"{each.name}: {each.note}") for each in against[:SHOWN])
        return Gate(
            "review",
            False,
            Bilingual("有人要求修改。", "Changes were asked for."),
            Bilingual(
                "照着改，做一个新的发布；或请他们改口。",
                "Make them in a new release, or ask whoever asked to think again.",
            ),
            told,
        )
    says = Bilingual(
        f"{len(agreed)} 人审过，要求 {wanted} 人（写的人不算）。",
        f"{len(agreed)} approved; {wanted} is asked (authors do not count).",
    )
    if len(agreed) >= wanted:
        return Gate("review", True, says)
    mend = Bilingual(f"请另外 {wanted - len(agreed)} 位审核者看过。", f"Ask {wanted - len(agreed)} more reviewer(s).")
    return Gate("review", False, says, mend)


def _risk(proof: Proof | None) -> Gate:
    if proof is None:
        return Gate(
            "risk",
            False,
            Bilingual("风险语料还没有跑过。", "The risk files have not been run."),
            Bilingual(
                "用 HEARTRULE_RISK_FILES 指定带标签的文件，再按“检查”。",
                "Name labelled files in HEARTRULE_RISK_FILES, then press Check.",
            ),
        )
    result = proof.result
    missed, wrong = int(result["missed"]), int(result["wrong"])
    says = Bilingual(
        f"风险语料 {result['messages']} 句：比现在多漏 {missed} 句，多误打断 {wrong} 句。",
        f"{result['messages']} messages of the risk files: {missed} missed and {wrong} interrupted wrongly that"
        " were not before.",
    )
    if not missed and not wrong:
        return Gate("risk", True, says)
    return Gate(
        "risk",
        False,
        says,
        Bilingual(
            "改好规则，直到不比现在漏得多、打断得多。",
            "Mend the rules until nothing more is missed or interrupted than now.",
        ),
        tuple(Bilingual(each, each) for each in list(result.get("rows", ()))[:SHOWN]),
    )
