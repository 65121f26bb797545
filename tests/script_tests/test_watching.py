"""Files that change are noticed, whatever became of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from heartrule.script_tests.file_watch import changes


def noticed(folder: Path, moves: list[Callable[[], object]], *paths: Path) -> list[set[str]]:
    """What is seen to have changed, one move at each pause, until there are none left."""
    left = iter(moves)

    def pause() -> None:
        for move in left:
            move()
            return
        raise KeyboardInterrupt

    found: list[set[str]] = []
    with suppress(KeyboardInterrupt):
        for changed in changes(paths or [folder], pause):
            found.append({Path(name).name for name in changed})
    return found


def test_what_changes_before_the_first_pause_is_noticed(tmp_path: Path) -> None:
    """While the first run goes on."""
    one = tmp_path / "one.yaml"
    one.write_text("a", encoding="utf-8")
    changed = changes([tmp_path], lambda: None)
    one.write_text("abc", encoding="utf-8")
    assert {Path(name).name for name in next(changed)} == {"one.yaml"}


def test_written_added_and_taken_away(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    one, two = tmp_path / "one.yaml", tmp_path / "below" / "two.yaml"
    one.write_text("a", encoding="utf-8")
    moves: list[Callable[[], object]] = [
        lambda: one.write_text("abc", encoding="utf-8"),
        lambda: None,
        lambda: two.write_text("a", encoding="utf-8"),
        one.unlink,
    ]
    assert noticed(tmp_path, moves) == [{"one.yaml"}, {"two.yaml"}, {"one.yaml"}]


def test_what_nobody_wrote_does_not_count(tmp_path: Path) -> None:
    for name in (".git", "__pycache__", "node_modules"):
        (tmp_path / name).mkdir()
    moves: list[Callable[[], object]] = [
        lambda name=name: (tmp_path / name).write_text("a", encoding="utf-8")  # type: ignore[misc]
        for name in (".git/x", "__pycache__/y.pyc", "node_modules/z", ".hidden")
    ]
    assert noticed(tmp_path, moves) == []


def test_a_file_alone_and_one_that_has_gone(tmp_path: Path) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_text("a", encoding="utf-8")
    moves: list[Callable[[], object]] = [
        lambda: other.write_text("a", encoding="utf-8"),
        lambda: one.write_text("ab", encoding="utf-8"),
        one.unlink,
    ]
    assert noticed(tmp_path, moves, one) == [{"one.yaml"}, {"one.yaml"}]
