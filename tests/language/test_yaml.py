"""YAML becomes plain data with a place for everything, and nothing else."""

from __future__ import annotations

import pytest
from tests.language.material import at, codes, only
from tests.table import tabled

from heartrule.language.findings import Finding
from heartrule.language.yaml import MAX_NODES, MAX_SCALAR, ParsedYaml, parse

BOMB = b"\n".join(
    [b"a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    + [
        f"{here}: &{here} [{', '.join(['*' + before] * 9)}]".encode()
        for before, here in zip("abcdefgh", "bcdefghi", strict=True)
    ]
)


def read(text: str | bytes) -> ParsedYaml:
    return parse(text, "script.yaml")


def told(text: str | bytes) -> list[Finding]:
    return read(text).findings


class TestData:
    @tabled(
        ("text", "data"),
        [
            ("a: 1", {"a": 1}),
            ("a: [1, two, 3.5]", {"a": [1, "two", 3.5]}),
            ("a: {b: c}", {"a": {"b": "c"}}),
            ("a:\n  - b: 1\n    c: 2\n  - d", {"a": [{"b": 1, "c": 2}, "d"]}),
            ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
            ("a: >-\n  one\n  two\n", {"a": "one two"}),
            ('a: "你\\n好"', {"a": "你\n好"}),
            ("a: '它''是'", {"a": "它'是"}),
            ("情绪强度: 3", {"情绪强度": 3}),
            ("a: # nothing", {"a": None}),
            ("- 1\n- 2", [1, 2]),
            ("just words", "just words"),
            ("a: ! no", {"a": "no"}),
            ("1: one\n2: two", {1: "one", 2: "two"}),
            ("true: yes", {"true": "yes"}),
            ("a: {b, c: d}", {"a": {"b": None, "c": "d"}}),
        ],
    )
    def test_one_document(self, text: str, data: object) -> None:
        parsed = read(text)
        assert parsed.documents == [data]
        assert parsed.whole
        assert parsed.findings == []

    @pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "   "])
    def test_nothing(self, text: str) -> None:
        assert read(text).documents == []
        assert read(text).whole

    def test_several_documents(self) -> None:
        parsed = read("a: 1\n---\nb: 2\n---\n---\n- c\n")
        assert parsed.documents == [{"a": 1}, {"b": 2}, None, ["c"]]

    def test_windows_lines(self) -> None:
        parsed = read("a: 1\r\nb:\r\n  - 你好\r\n")
        assert parsed.documents == [{"a": 1, "b": ["你好"]}]
        assert parsed.map.value((0, "b", 0)) == (3, 5, "")

    def test_a_text_that_is_bytes(self) -> None:
        assert read("称呼: 小明".encode()).documents == [{"称呼": "小明"}]


class TestPlaces:
    TEXT = (
        "sessions:\n"
        "  - session: 你好\n"
        "    phases:\n"
        "      - {phase: 开场, steps: []}\n"
        '    goal: "慢"\n'
        "    audience: |\n"
        "      两行\n"
        "      文字\n"
    )

    @pytest.mark.parametrize(
        ("path", "place"),
        [
            (("sessions",), (1, 1)),
            (("sessions", 0), (2, 5)),
            (("sessions", 0, "session"), (2, 5)),
            (("sessions", 0, "phases"), (3, 5)),
            (("sessions", 0, "phases", 0), (4, 9)),
            (("sessions", 0, "phases", 0, "steps"), (4, 21)),
            (("sessions", 0, "goal"), (5, 5)),
        ],
    )
    def test_keys(self, path: tuple[str | int, ...], place: tuple[int, int]) -> None:
        spot = read(self.TEXT).map.key((0, *path))
        assert (spot.line, spot.column) == place

    @pytest.mark.parametrize(
        ("path", "place", "style"),
        [
            (("sessions", 0, "session"), (2, 14), ""),
            (("sessions", 0, "phases", 0), (4, 9), "{"),
            (("sessions", 0, "phases", 0, "steps"), (4, 28), "["),
            (("sessions", 0, "goal"), (5, 11), '"'),
            (("sessions", 0, "audience"), (6, 15), "|"),
        ],
    )
    def test_values(self, path: tuple[str | int, ...], place: tuple[int, int], style: str) -> None:
        spot = read(self.TEXT).map.value((0, *path))
        assert (spot.line, spot.column) == place
        assert spot.style == style

    @pytest.mark.parametrize(
        ("path", "offset", "place"),
        [
            (("sessions", 0, "session"), 1, (2, 15)),
            (("sessions", 0, "goal"), 0, (5, 12)),
            (("sessions", 0, "audience"), 1, (7, 8)),
            (("sessions", 0, "audience"), 3, (8, 7)),
            (("sessions", 0, "audience"), 4, (8, 8)),
        ],
    )
    def test_inside_of_a_text(self, path: tuple[str | int, ...], offset: int, place: tuple[int, int]) -> None:
        spot = read(self.TEXT).map.within((0, *path), offset)
        assert (spot.line, spot.column) == place

    def test_what_is_not_there_stands_where_its_parent_does(self) -> None:
        assert read(self.TEXT).map.key((0, "sessions", 0, "nothing", 3)) == read(self.TEXT).map.key((0, "sessions", 0))
        assert read("").map.key((0, "a")) == (1, 1, "")

    def test_an_alias_stands_where_it_is_written(self) -> None:
        parsed = read("a: &x {k: 1}\nb: *x\n")
        assert parsed.documents == [{"a": {"k": 1}, "b": {"k": 1}}]
        assert parsed.map.key((0, "b", "k")).line == 2

    def test_documents_are_counted(self) -> None:
        parsed = read("a: 1\n---\nb: 2\n")
        assert parsed.map.key((1, "b")).line == 3


class TestBounds:
    def test_too_large(self) -> None:
        assert codes(told("# " + "x" * 1_000_001)) == ["E002"]
        assert codes(told(b"# " + b"x" * 1_000_001)) == ["E002"]

    def test_chinese_counts_in_bytes(self) -> None:
        assert codes(told("# " + "好" * 350_000)) == ["E002"]
        assert codes(told("# " + "好" * 330_000)) == []

    def test_a_large_file_is_read(self) -> None:
        assert read("a: |\n" + "  line\n" * 9_000).findings == []

    def test_depth(self) -> None:
        deep = read("a: " + "[" * 59 + "]" * 59)
        assert deep.findings == []
        assert codes(told("a: " + "[" * 60 + "]" * 60)) == ["E009"]

    def test_depth_is_noticed_before_the_end(self) -> None:
        assert codes(told("[" * 200_000)) == ["E009"]
        assert codes(told("{a: " * 100_000)) == ["E009"]
        assert codes(told("? " * 100_000)) == ["E009"]

    def test_depth_through_aliases(self) -> None:
        rows = ["a0: &a0 " + "[" * 40 + "]" * 40]
        rows += [f"a{n}: &a{n} " + "[" * 15 + f"*a{n - 1}" + "]" * 15 for n in range(1, 4)]
        assert at(told("\n".join(rows))) == [("E009", 3)]

    def test_number_of_nodes(self) -> None:
        assert codes(told("[" + "a," * MAX_NODES + "]")) == ["E010"]

    def test_an_alias_bomb_is_not_expanded(self) -> None:
        assert len(BOMB) < 500
        parsed = read(BOMB)
        assert codes(parsed.findings) == ["E010"]
        assert not parsed.whole

    def test_aliases_count_what_they_stand_for(self) -> None:
        text = "a: &a [" + "x, " * 999 + "x]\nb: [" + "*a, " * 50 + "*a]"
        assert told(text) == []
        assert codes(told(text.replace("*a]", "*a, " * 60 + "*a]"))) == ["E010"]

    def test_the_length_of_a_text(self) -> None:
        assert told("a: " + "x" * MAX_SCALAR) == []
        assert codes(told("a: " + "x" * (MAX_SCALAR + 1))) == ["E011"]
        assert codes(told("a: |\n" + "  xxxxxxxxx\n" * (MAX_SCALAR // 10 + 1))) == ["E011"]


class TestRefused:
    def test_a_key_twice(self) -> None:
        parsed = read("a: 1\nb: 2\na: 3\n")
        found = only(parsed.findings)
        assert (found.code, found.line, found.column) == ("E007", 3, 1)
        assert "1" in found.message.en
        assert parsed.documents == [{"a": 1, "b": 2}]

    def test_what_stands_under_the_second_key_is_left_out(self) -> None:
        parsed = read("a: {x: 1}\na: {y: [1, 2], x: 2}\n")
        assert parsed.documents == [{"a": {"x": 1}}]
        assert parsed.map.value((0, "a", "x")).line == 1

    @pytest.mark.parametrize("tag", ["!x", "!!python/object:os.system", "!!str", "!!binary", "!<tag:a,2000:b>"])
    def test_tags(self, tag: str) -> None:
        assert "E008" in codes(told(f"a: {tag} b"))

    def test_tags_on_lists_and_mappings(self) -> None:
        assert codes(told("a: !!set {b, c}")) == ["E008"]
        assert codes(told("a: !list [b]")) == ["E008"]

    def test_an_alias_of_nothing(self) -> None:
        assert at(told("a: 1\nb: *nothing\n")) == [("E012", 2)]

    def test_an_alias_within_itself(self) -> None:
        assert at(told("a: &x\n  - *x\n")) == [("E013", 2)]
        assert at(told("a: &x {b: *x}\n")) == [("E013", 1)]

    @pytest.mark.parametrize("text", ["{[a]: b}", "? [a]\n: b", "? {a: b, c: d}\n: e"])
    def test_keys_that_are_no_words(self, text: str) -> None:
        assert {"E014", "E023"} & set(codes(told(text)))

    def test_syntax(self) -> None:
        found = only(told("a:\n  b: 1\n c: 2\n"))
        assert (found.code, found.line) == ("E032", 3)

    @pytest.mark.parametrize("text", ["%YAML 3.0\n---\na", "a: - b", "- a\nb: 1", "]"])
    def test_more_syntax(self, text: str) -> None:
        parsed = read(text)
        assert parsed.findings
        assert not parsed.whole

    @pytest.mark.parametrize("text", ["a: 'b", "a: [b", 'a: "b', "a: {b: c", "- {a: 'b}"])
    def test_what_is_never_closed(self, text: str) -> None:
        assert codes(told(text)) == ["E028"]

    @pytest.mark.parametrize("value", ['"b\n  c"', "[b,\n  c]", "{b: c,\n  d: e}", "'b\n  c'"])
    def test_what_is_closed_in_a_later_line_is_let_be(self, value: str) -> None:
        assert "E028" not in codes(told(f"a: {value}\nb: c: d\n"))

    def test_a_brace_that_opens_a_text(self) -> None:
        assert codes(told("a: {b")) == ["E020"]


class TestCharacters:
    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("a: \x00", (1, 4)),
            ("a: b\nc: \x07d", (2, 4)),
            ("a: \x1b[31m", (1, 4)),
            ("a: \x7f", (1, 4)),
            ("a: \ud800", (1, 4)),
            ("a: x\ufeffy", (1, 5)),
            ("a: \ufffe", (1, 4)),
            ("你好：\x01", (1, 4)),
            ("a: 一\u2028二", (1, 5)),
            ("a: 一\x85二", (1, 5)),
            ("a: b\rc: d", (1, 5)),
        ],
    )
    def test_forbidden_ones(self, text: str, place: tuple[int, int]) -> None:
        found = only(told(text))
        assert found.code == "E004"
        assert (found.line, found.column) == place

    def test_they_are_named(self) -> None:
        assert "NUL" in only(told("\x00")).message.en
        assert "U+0007" in only(told("\x07")).message.zh
        assert "BOM" in only(told("a\ufeff")).message.zh

    @pytest.mark.parametrize("text", ["a: 😀", "a: 𠀀", "a: \u00a0x", "a: 你\u200b好", "a: \u3000x"])
    def test_allowed_ones(self, text: str) -> None:
        assert told(text) == []

    @pytest.mark.parametrize(
        ("raw", "line"),
        [(b"\xff\xfea\x00", 1), (b"a: 1\nb: \xc3(\n", 2), ("a: 1\nb: 你好".encode("gbk"), 2), (b"\x80", 1)],
    )
    def test_other_encodings(self, raw: bytes, line: int) -> None:
        found = only(told(raw))
        assert (found.code, found.line) == ("E003", line)

    def test_a_byte_order_mark_at_the_beginning_is_passed_over(self) -> None:
        for text in ("\ufeffa: 1", b"\xef\xbb\xbfa: 1"):
            parsed = read(text)
            assert codes(parsed.findings) == ["W005"]
            assert parsed.documents == [{"a": 1}]
            assert parsed.map.key((0, "a")) == (1, 1, "")

    def test_after_a_byte_order_mark_the_rest_is_still_checked(self) -> None:
        assert codes(told("\ufeffa: \x00")) == ["W005", "E004"]
