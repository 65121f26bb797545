"""Writes ``docs/findings.md`` and ``docs/zh/findings.md`` from the documents of ``language/findings/diagnostics``. With
``--check`` nothing is written: it fails when they are not up to date."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from heartrule.engine.installed_types import field_models
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, finding
from heartrule.language.findings.documents import Diagnostic, Example, codes, diagnostic
from heartrule.language.linting.rules import check
from heartrule.language.nodes import Place
from heartrule.language.projects.project import load_texts

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"en": ROOT / "docs" / "findings.md", "zh": ROOT / "docs" / "zh" / "findings.md"}
_SLOT = re.compile(r"\{\w+\}")

TITLE = Bilingual("检查会说什么", "What lint says")
INTRO = Bilingual(
    """`heartrule lint` 的每一种发现：`E` 开头的让脚本不能载入，`W` 开头的是提醒。
每一种都有一个说不通的例子和改好的例子；本页由程序里的文档生成，例子都经过测试。
标着 **--fix** 的，`heartrule lint --fix` 会直接改好；标着 **一键** 的，
改法写在 JSON 和 SARIF 输出里，由人决定。
每个项目可以在 `project.yaml` 里写 `lint: {W233: off, W231: error}`，把提醒关掉或者当作错误；
`E` 不能关掉。编辑器和 CI 怎样用，见[编辑器](editors.md)。""",
    """Everything that `heartrule lint` can say. Codes `E…` keep a script from loading, codes `W…` do not. Each has an
example that fails and the same one mended; this page is made from the documents that the linter itself reads, and the
examples are tested. Where it says **--fix**, `heartrule lint --fix` mends it; where it says **one click**, the edit is
in the JSON and SARIF output, for a person to decide. A project may say `lint: {W233: off, W231: error}` in
`project.yaml`: a warning is off then, or counts as an error; an `E` cannot be off. For editors and CI see
[editors](editors.md).""",
)
GROUPS = {
    "0": Bilingual("文件和 YAML", "Files and YAML"),
    "1": Bilingual("字段和写法", "Keys and spelling"),
    "2": Bilingual("意思", "Meaning"),
    "4": Bilingual("文字和变量", "Texts and variables"),
    "3": Bilingual("找脚本", "Finding a script"),
}
WORDS = {
    "mend": Bilingual("改法", "Mend"),
    "safe": Bilingual("**--fix**", "**--fix**"),
    "click": Bilingual("**一键**", "**one click**"),
    "mended": Bilingual("改好：", "Mended:"),
}


def mends() -> dict[str, bool]:
    """The codes whose failing example comes with a mend, and whether that is safe to make unasked."""
    found: dict[str, bool] = {}
    for code in codes():
        for each in _found_in(diagnostic(code).failing):
            if each.code == code and each.mend is not None:
                found[code] = each.mend.safe
    return found


def _found_in(example: Example) -> list[Finding]:
    if not example.files:
        return []
    project = load_texts(dict(example.files), field_models())
    return [*project.findings, *check(project, {project.id: project}.get)]


def lines(lang: str, known: dict[str, bool]) -> Iterator[str]:
    yield from (f"# {TITLE.localized(lang)}", "", INTRO.localized(lang), "")
    group = ""
    for code in codes():
        if code[1] != group:
            group = code[1]
            yield from (f"## {GROUPS[group].localized(lang)}", "")
        yield from _entry(diagnostic(code), lang, known.get(code))


def _entry(kind: Diagnostic, lang: str, safe: bool | None) -> Iterator[str]:
    told = finding(kind.code, Place()).localized(lang)
    yield from (f'<a id="{kind.code.lower()}"></a>', "", f"### {kind.code} {kind.name}", "")
    badge = "" if safe is None else f" {WORDS['safe' if safe else 'click'].localized(lang)}"
    yield from (f"{_plain(told.message)}{badge}", "")
    if (hint := _plain(told.hint)).strip("… "):
        yield from (f"{WORDS['mend'].localized(lang)}: {hint}" if lang == "en" else f"{WORDS['mend'].zh}：{hint}", "")
    yield from _example(kind.failing)
    if _holds_something(kind.failing) and _holds_something(kind.mended):
        yield from (WORDS["mended"].localized(lang), "")
        yield from _example(kind.mended)


def _holds_something(example: Example) -> bool:
    return any(text.strip() for _, text in example.files)


def _example(example: Example) -> Iterator[str]:
    for name, text in example.files if _holds_something(example) else ():
        yield from ("```yaml", *([f"# {name}"] if len(example.files) > 1 else []), text.rstrip("\n"), "```", "")


def _plain(text: str) -> str:
    return _SLOT.sub("…", text).replace("<", "\\<")


def pages() -> dict[Path, str]:
    known = mends()
    return {path: "\n".join(lines(lang, known)).rstrip() + "\n" for lang, path in PAGES.items()}


def main() -> int:
    made = pages()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not up to date; run: make docs")
        return 1 if stale else 0
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
        print(f"Wrote {path.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
