"""What an action finds out: ``target_variable``, ``extract_to``, ``extraction_prompt``, ``output_variables``."""

from __future__ import annotations

from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping, both, senseless
from heartrule.language.texts.page import Page, scalar
from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry, Tree

TARGETS = ("target_variable", "extract_to")
ITEM = {"name": "get", "variable": "get", "var": "get", "description": "define", "extraction_prompt": "define"}
ASKS = frozenset({"ask", "ai_ask"})
TYPE = "value_type"
"""What ``type`` of a variable is called while it stands beside that of the action."""
OF_ANSWER = ("validation", "validation_rule", "validate", "range", "pattern", "enum", "min_length")
"""What is said of an answer, and people write beside the question."""
_ONE_VALUE = frozenset({"user_option", "set_var"})


def spelled(here: SpelledMapping, kind: str) -> Made:
    if kind == "ai_think" and (rows := here.get("tolist")):
        yield _rows(here, rows)
    told = here.get("output")
    if told is not None and told.value.kind == "list" and _are_names(told.value):
        yield names(here.page, told.value, "get")
    if kind in ASKS and told is not None:
        yield from _belonging(here, kind, told)
    prompt = here.get("extraction_prompt")
    target = here.get(*TARGETS)
    listed = here.get("output_variables")
    if target is not None and listed is not None:
        yield both(target, "output_variables")
    elif target is not None and kind in _ONE_VALUE:
        yield from here.rename(dict.fromkeys(TARGETS, "var"))
    elif target is not None and (told := here.get("output")):
        yield _said(here, target, prompt, told) or both(target, "output")
        if _said(here, target, prompt, told):
            return
    elif target is not None and target.value.kind == "list":
        yield _list(here.page, target, "output")
    elif target is not None and target.value.text():
        yield _one(here, target, prompt)
        return
    elif listed is not None and here.get("output"):
        yield both(listed, "output")
    elif listed is not None and listed.value.kind == "list":
        yield _list(here.page, listed, "output")
    elif listed is not None and listed.value.text():
        yield _one(here, listed, prompt)
        return
    if prompt is not None:
        yield senseless(
            prompt,
            "它要跟着一个 target_variable；几个变量时，每个变量在 output 里写自己的 define。",
            "It belongs to one target_variable; of several variables each has a define of its own in output.",
        )


def _said(here: SpelledMapping, target: Entry, prompt: Entry | None, told: Entry) -> list[Edit] | None:
    """Without what ``target_variable`` repeats: an empty ``output``, or the variable itself where ``output`` has it."""
    if told.value.text() is None and not told.value.items and not told.value.entries:
        return here.page.remove(here.node, told)
    name = target.value.text()
    item = next((each for each in told.value.items if (got := each.get("get")) and got.value.text() == name), None)
    define = item.get("define") if item else None
    if item is None or (prompt and (define is None or define.value.text() != prompt.value.text())):
        return None
    return [*here.page.remove(here.node, target), *(here.page.remove(here.node, prompt) if prompt else [])]


def _belonging(here: SpelledMapping, kind: str, told: Entry) -> Made:
    """What is said of the answer beside the question: its type, and what there is to choose from."""
    item = told.value.items[0] if len(told.value.items) == 1 else None
    got = item.get("get") if item else None
    if item is None or got is None:
        return
    page, type_, choices = here.page, here.get(TYPE), here.get("choices")
    rule = here.get(*OF_ANSWER)
    if rule is not None and not item.get(rule.name) and not here.node.flow and not item.flow:
        by = page.column(got.key.start) - page.column(rule.key.start)
        below = not rule.value.single and not rule.value.flow
        moved = (
            *(["\n" + " " * (page.column(rule.value.start) + by)] if below else [" "]),
            *page.copied(rule.value, by),
        )
        yield [*page.after(item, got, f"{rule.name}:", *moved), *page.remove(here.node, rule, copied=True)]
    elif type_ is not None and (named := type_.value.text()) and not item.get("type"):
        yield [*page.after(item, got, f"type: {scalar(named)}"), *page.remove(here.node, type_)]
    elif choices is not None and (options := _options(choices.value)) and not item.get("options"):
        added = page.after(item, got, f"options: [{', '.join(scalar(each) for each in options)}]")
        if kind == "ai_ask" and not here.get("style"):
            style = page.written(here.node, choices.key.start, choices.value.end, ("style: choice",), choices.value)
            yield [*added, style]
        else:
            yield [*added, *page.remove(here.node, choices)]


def _options(value: Tree) -> list[str]:
    """What people read of choices: none where one of them is written in another way."""
    entries = [(None, entry.value) for entry in value.entries]
    items = [(item.get("label", "value"), item) for item in value.items]
    texts = []
    for label, each in (*entries, *items):
        alone = each.entries[0].value if len(each.entries) == 1 else each
        texts.append((label.value if label else alone).text())
    return [text for text in texts if text] if all(texts) else []


def _rows(here: SpelledMapping, rows: Entry) -> list[Edit] | Refusal:
    """``tolist`` of ``ai_think``, where the outputs are what each row holds → one output that is a list with fields."""
    page, output, name = here.page, here.get("output"), rows.value.text()
    items = output.value.items if output else ()
    first = items[0].get("get") if items else None
    known = {"get", "define", "type", "options"}
    strange = any(not item.get("get") or {entry.name for entry in item.entries} - known for item in items)
    if output is None or name is None or first is None or strange or here.node.flow or output.value.flow:
        return senseless(
            rows,
            "写一个 type: list 的 output，每一行有什么写在它的 fields 里。",
            "Write one output with type: list, and what each row holds under its fields.",
        )
    dash = page.dash(output.value, 0)
    line, indent = page.line(dash), " " * page.column(dash)
    head = [
        f"get: {scalar(name)}",
        "type: list",
        "update: merge_unique",
        f"key: {scalar(first.value.text())}",
        "fields:",
    ]
    opened = indent + "- " + ("\n" + indent + "  ").join(head) + "\n"
    end = max(entry.value.end for entry in items[-1].entries)
    edits = [Edit(line, line, (opened, "  ")), *page.shift(line, end, 2)]
    edits += [
        edit for item in items for entry in item.entries if entry.name == "get" for edit in page.rename(entry, "name")
    ]
    return [*edits, *page.remove(here.node, rows)]


def names(page: Page, value: Tree, key: str) -> list[Edit]:
    """A list of bare names → a list of mappings with the name under ``key``."""
    edits = []
    for item in value.items:
        if not item.single or item.value is None:
            continue
        if value.flow:
            edits += [Edit(item.start, item.start, (f"{{{key}: ",)), Edit(item.end, item.end, ("}",))]
        else:
            edits.append(Edit(item.start, item.start, (f"{key}: ",)))
    return edits


def _are_names(value: Tree) -> bool:
    texts = [item.value for item in value.items if item.single]
    return bool(texts) and all(isinstance(text, str) and text for text in texts)


def keys(page: Page, value: Tree, forms: dict[str, str]) -> list[Edit]:
    """Keys of the mappings of a list that are called something else."""
    found = []
    for item in value.items:
        for entry in item.entries:
            form = forms.get(entry.name)
            if form is not None and item.get(form) is None:
                found += page.rename(entry, form)
    return found


def _list(page: Page, entry: Entry, name: str) -> list[Edit]:
    return [*page.rename(entry, name), *names(page, entry.value, "get"), *keys(page, entry.value, ITEM)]


def _one(here: SpelledMapping, target: Entry, prompt: Entry | None) -> list[Edit]:
    """``target_variable: x`` with ``extraction_prompt: y`` → ``output: [{get: x, define: y}]``."""
    page, node = here.page, here.node
    if node.flow:
        told: tuple[Piece, ...] = (", define: ", *page.copied(prompt.value, 0)) if prompt else ()
        edits = [
            Edit(target.key.start, target.key.end, ("output: [{get",)),
            Edit(target.value.end, target.value.end, (*told, "}]")),
        ]
        return edits + (page.remove(node, prompt, copied=True) if prompt else [])
    column = page.column(target.key.start)
    indent = " " * (column + 2)
    edits = [Edit(target.key.start, target.key.end, (f"output:\n{indent}- get",))]
    if prompt is not None:
        at = page.end_of_line(target.value.end)
        define: list[Piece] = [f"\n{indent}  define:"]
        define += [" ", *page.copied(prompt.value, 4)]
        edits += [Edit(at, at, tuple(define)), *page.settled(at, column), *page.remove(node, prompt, copied=True)]
    return edits
