"""Packages on the command line: made, signed, found, shown, installed, brought up to date, and refused."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command, Ran

from heartrule.language.bilingual import SaidError

SCRIPT = """\
sessions:
  - session: {name}
    id: talk
    locale: en
    phases:
      - phase: Talk
        id: talk
        steps:
          - topic: Talk
            id: talk
            actions:
              - {{type: say, id: hello, content: "{words}"}}
"""
TEST = """\
script: {project}/talk
tests:
  - test: it says hello
    turns:
      - start: {{said_contains: ["{words}"], ended: true}}
"""


def run(heartrule: Command, *arguments: str, lines: str = "") -> Ran:
    """As the entry point does, which tells of an error in its own words and exits 1."""
    try:
        return heartrule(*arguments, lines=lines)
    except SaidError as error:
        return Ran(1, "", error.told.en)


class Author:
    """Somebody who makes packages, with a key of their own."""

    def __init__(self, heartrule: Command, place: Path, name: str = "author") -> None:
        self.heartrule, self.place, self.key = heartrule, place, place / f"{name}.pem"
        self.index = place / "index"
        made = heartrule("packages", "key", str(self.key), "--lang", "en")
        assert made.returncode == 0, made.stderr
        assert self.key.stat().st_mode & 0o077 == 0

    def write(self, name: str, version: str, words: str = "Hello.", expects: str | None = None, **more: Any) -> Path:
        project = name.replace("-", "_")
        folder = self.place / project
        (folder / "tests").mkdir(parents=True, exist_ok=True)
        about = {"name": name, "version": version, "licence": "MIT", "description": {"en": f"About {name}"}, **more}
        (folder / "package.yaml").write_text(json.dumps(about), encoding="utf-8")
        (folder / "project.yaml").write_text(f"id: {project}\nlocale: en\n", encoding="utf-8")
        (folder / "talk.yaml").write_text(SCRIPT.format(name=name, words=words), encoding="utf-8")
        test = TEST.format(project=project, words=expects or words)
        (folder / "tests" / "talk.test.yaml").write_text(test, encoding="utf-8")
        return folder

    def pack(self, folder: Path) -> Any:
        return run(
            self.heartrule, "pack", str(folder), "--key", str(self.key), "--index", str(self.index), "--lang", "en"
        )

    def publish(self, name: str, version: str, words: str = "Hello.", expects: str | None = None, **more: Any) -> None:
        packed = self.pack(self.write(name, version, words, expects, **more))
        assert packed.returncode == 0, packed.stderr


@pytest.fixture
def author(heartrule: Command, tmp_path: Path) -> Author:
    return Author(heartrule, tmp_path)


def install(author: Author, *asked: str, **more: str) -> Any:
    into, source = str(author.place / "there"), more.get("source", str(author.index))
    return run(author.heartrule, "install", *asked, "--from", source, "--into", into, "--yes", "--lang", "en")


def versions(author: Author) -> dict[str, str]:
    lock = json.loads((author.place / "there" / "packages.lock.json").read_text(encoding="utf-8"))
    return {name: each["version"] for name, each in lock["packages"].items()}


def test_from_a_folder_to_a_conversation(author: Author) -> None:
    author.publish("sleep-basics", "1.2.0")
    found = author.heartrule("packages", "search", "sleep", "--from", str(author.index), "--lang", "en")
    assert "sleep-basics 1.2.0 · MIT · About sleep-basics" in found.stdout
    done = install(author, "sleep-basics>=1,<2")
    assert done.returncode == 0, done.stderr
    assert "sessions: talk" in done.stdout
    assert "Conversation tests: 1 of 1 passed." in done.stdout
    held = author.heartrule("scripts", "--project", str(author.place / "there"), "--lang", "en")
    assert "sleep_basics/talk" in held.stdout
    again = install(author, "sleep-basics")
    assert "as new as the index has it" in again.stdout


def test_the_same_project_makes_the_same_bytes_and_a_version_is_never_replaced(author: Author) -> None:
    author.publish("one", "1.0.0")
    file = author.index / "one-1.0.0.heartrule"
    first = file.read_bytes()
    author.publish("one", "1.0.0")
    assert file.read_bytes() == first
    refused = author.pack(author.write("one", "1.0.0", "Other words."))
    assert refused.returncode == 1
    assert "is there with other content" in refused.stderr
    assert file.read_bytes() == first


def test_what_is_required_comes_too_in_versions_that_suit_together(author: Author) -> None:
    author.publish("base", "1.0.0")
    author.publish("base", "1.10.0")
    author.publish("base", "2.0.0")
    author.publish("old", "1.0.0", requires={"base": "<1.5"})
    author.publish("top", "1.0.0", requires={"base": ">=1,<2"})
    author.publish("far", "1.0.0", requires={"base": ">=2"})
    assert install(author, "top").returncode == 0
    assert versions(author) == {"top": "1.0.0", "base": "1.10.0"}
    assert install(author, "old").returncode == 0, "with what both can use"
    assert versions(author)["base"] == "1.0.0"
    refused = install(author, "far")
    assert refused.returncode == 1
    assert "No versions go together" in refused.stderr
    assert versions(author) == {"top": "1.0.0", "base": "1.0.0", "old": "1.0.0"}
    unknown = install(author, "nothing")
    assert "nothing is not in the index" in unknown.stderr


def test_what_is_required_and_is_not_there_or_too_old_or_goes_in_a_circle_is_told(author: Author) -> None:
    author.publish("base", "1.0.0")
    author.publish("lost", "1.0.0", requires={"gone": ">=1"})
    author.publish("new", "1.0.0", requires={"middle": ">=1"})
    author.publish("middle", "1.0.0", requires={"base": ">=1.2"})
    author.publish("hen", "1.0.0", requires={"egg": ">=1"})
    author.publish("egg", "1.0.0", requires={"hen": ">=1"})
    told = {name: install(author, name) for name in ("lost", "new", "hen")}
    assert "gone>=1, which lost requires, is not in the index." in told["lost"].stderr
    assert "base>=1.2, which middle requires, is not in the index; it has: 1.0.0" in told["new"].stderr
    assert "in a circle: egg → hen → egg" in told["hen"].stderr or "hen → egg → hen" in told["hen"].stderr
    assert {each.returncode for each in told.values()} == {1}
    assert not (author.place / "there").exists()
    author.publish("egg", "0.9.0")
    author.publish("hen", "1.1.0", requires={"egg": ">=0.9"})
    assert install(author, "hen").returncode == 0, "with a version that goes round in none"
    assert versions(author) == {"hen": "1.1.0", "egg": "0.9.0"}


def test_an_update_says_what_it_may_do_more_and_what_was_changed_by_hand(author: Author) -> None:
    author.publish("one", "1.0.0")
    assert install(author, "one").returncode == 0
    (author.place / "there" / "one" / "talk.yaml").write_text("# mine\n", encoding="utf-8")
    author.publish("one", "1.1.0", "See https://example.org for more.")
    update = ("update", "--from", str(author.index), "--into", str(author.place / "there"), "--lang", "en")
    asked = author.heartrule(*update, lines="n\n")
    assert asked.returncode == 1
    assert "one 1.0.0 → 1.1.0" in asked.stdout
    assert "new: links to: example.org" in asked.stdout
    assert "changed here by hand, and would be overwritten: talk.yaml" in asked.stdout
    assert versions(author) == {"one": "1.0.0"}
    assert author.heartrule(*update, lines="y\n").returncode == 0
    assert versions(author) == {"one": "1.1.0"}
    assert "example.org" in (author.place / "there" / "one" / "talk.yaml").read_text(encoding="utf-8")


def test_another_key_is_told_and_not_taken(author: Author, heartrule: Command, tmp_path: Path) -> None:
    author.publish("one", "1.0.0")
    assert install(author, "one").returncode == 0
    stranger = Author(heartrule, tmp_path, "stranger")
    stranger.publish("one", "1.1.0")
    refused = install(author, "one")
    assert refused.returncode == 1
    assert "Signed with another key than before: one" in refused.stderr
    assert versions(author) == {"one": "1.0.0"}


def test_what_does_not_pass_its_own_tests_is_not_installed(author: Author) -> None:
    author.publish("one", "1.0.0", "Hello.", expects="Goodbye.")
    refused = install(author, "one")
    assert refused.returncode == 1
    assert "Conversation tests: 0 of 1 passed." in refused.stdout
    assert not (author.place / "there").exists()


def test_our_own_projects_are_replaced_by_nobody(author: Author) -> None:
    folder = author.write("one", "1.0.0")
    (folder / "project.yaml").write_text("id: safety\nlocale: en\n", encoding="utf-8")
    assert author.pack(folder).returncode == 0
    refused = install(author, "one")
    assert "would stand in for our own project safety" in refused.stderr


def test_a_manifest_is_told_of_with_its_line(author: Author) -> None:
    folder = author.write("one", "1.0.0")
    (folder / "package.yaml").write_text("name: one\nversion: 1.0\nlicence: MIT\n", encoding="utf-8")
    refused = author.pack(folder)
    assert refused.returncode == 1
    assert "package.yaml:2:" in refused.stderr
    asked = install(author, "one==")
    assert asked.returncode == 2
    assert "not a package's name" in asked.stderr
    keyless = run(
        author.heartrule, "pack", str(folder), "--key", str(folder / "project.yaml"), "--index", "x", "--lang", "en"
    )
    assert "no Ed25519 private key" in keyless.stderr


def rewritten(author: Author, change: dict[str, bytes | None]) -> None:
    """The archive in the index with other parts, and an index that says so."""
    file = author.index / "one-1.0.0.heartrule"
    with zipfile.ZipFile(file) as archive:
        parts: dict[str, bytes] = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, raw in {**parts, **change}.items():
            if raw is not None:
                archive.writestr(name, raw)
    file.write_bytes(out.getvalue())
    from hashlib import sha256

    index = json.loads((author.index / "index.json").read_text(encoding="utf-8"))
    index["packages"][0]["digest"] = sha256(out.getvalue()).hexdigest()
    (author.index / "index.json").write_text(json.dumps(index), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"files/talk.yaml": b"sessions: []\n"}, "do not have the fingerprints"),
        ({"files/extra.yaml": b"x: 1\n"}, "do not have the fingerprints"),
        ({"files/../out.yaml": b"x: 1\n"}, "may not hold the path"),
        ({"files/run.py": b"print(1)\n"}, "may not hold such a file"),
        ({"package.json": b"{}"}, "can be read"),
        ({"package.json": None}, "can be read"),
        ({"other": b"x"}, "can be read"),
        ({"signature.json": b'{"key": "AAAA", "signature": "AAAA"}'}, "signature does not belong"),
    ],
)
def test_what_was_changed_on_the_way_is_refused(author: Author, change: dict[str, bytes | None], why: str) -> None:
    author.publish("one", "1.0.0")
    rewritten(author, change)
    refused = install(author, "one")
    assert refused.returncode == 1
    assert why in refused.stderr
    assert not (author.place / "there").exists()
    assert not (author.place / "out.yaml").exists()


def test_a_package_that_hides_what_it_may_do_is_refused(author: Author) -> None:
    """Signed by its author, and still worked out anew where it is installed."""
    from heartrule.packages.archive import pack, unpack
    from heartrule.packages.capabilities import Capabilities
    from heartrule.signing import read_key

    author.publish("one", "1.0.0", "See https://example.org for more.")
    package = unpack((author.index / "one-1.0.0.heartrule").read_bytes())
    assert package.about.capabilities.hosts == ("example.org",)
    silent = package.about.model_copy(update={"capabilities": Capabilities()})
    with zipfile.ZipFile(io.BytesIO(pack(silent, package.files, read_key(author.key)))) as archive:
        rewritten(author, {name: archive.read(name) for name in archive.namelist()})
    refused = install(author, "one")
    assert "does not tell of all that it may do" in refused.stderr


@pytest.fixture
def host(author: Author) -> Iterator[str]:
    author.index.mkdir(exist_ok=True)
    handler = partial(SimpleHTTPRequestHandler, directory=str(author.index))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_any_static_host_is_an_index(author: Author, host: str) -> None:
    author.publish("one", "1.0.0")
    assert install(author, "one", source=host).returncode == 0
    assert versions(author) == {"one": "1.0.0"}
    (author.index / "one-1.0.0.heartrule").unlink()
    gone = install(author, "one", source=host + "/none")
    assert "status 404" in gone.stderr
    plain = install(author, "one", source="http://example.org/packages")
    assert "read over https" in plain.stderr
    (author.index / "index.json").write_text("[", encoding="utf-8")
    assert "cannot be read" in install(author, "one", source=host).stderr


def test_packages_installed_into_a_project_are_used_by_it_and_not_packed_with_it(author: Author) -> None:
    author.publish("base", "1.0.0")
    mine = author.write("mine", "1.0.0", requires={"base": ">=1"})
    call = "              - {type: use_skill, id: call, skill: base/more}\n"
    with (mine / "talk.yaml").open("a", encoding="utf-8") as file:
        file.write(call)
    skill = "skills:\n  - skill: More\n    id: more\n    actions: [{type: say, id: more, content: More of it.}]\n"
    (author.place / "base" / "skills.yaml").write_text(skill, encoding="utf-8")
    about = json.loads((author.place / "base" / "package.yaml").read_text(encoding="utf-8"))
    (author.place / "base" / "package.yaml").write_text(json.dumps({**about, "version": "1.1.0"}), encoding="utf-8")
    assert author.pack(author.place / "base").returncode == 0
    into = ("--from", str(author.index), "--into", str(mine / "packages"), "--yes", "--lang", "en")
    assert author.heartrule("lint", str(mine), "--lang", "en").returncode == 1
    assert run(author.heartrule, "install", "base", *into).returncode == 0
    linted = author.heartrule("lint", str(mine), "--lang", "en")
    assert linted.returncode == 0, linted.stdout + linted.stderr
    held = author.heartrule("test", str(mine / "tests"), "--project", str(mine), "--lang", "en")
    assert held.returncode == 0, held.stdout + held.stderr
    packed = author.pack(mine)
    assert packed.returncode == 0, packed.stderr
    with zipfile.ZipFile(author.index / "mine-1.0.0.heartrule") as archive:
        assert not [each for each in archive.namelist() if "packages/" in each]
