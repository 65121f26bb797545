"""The web app: what it is built from is installed as ``web/package-lock.json`` lists it, then it is built.

Both are done only when something has changed: npm keeps a list of what it installed, and a stamp
remembers which sources it was built from and what came out.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from telling import Trouble, last_words, run_telling, say

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
APPS = ("visitor", "staff")
STAMP = ROOT / "build" / "web-app.stamp"
LOG = ROOT / ".venv" / "web.log"
NOT_SOURCES = {"node_modules", "dist", "coverage"}
UNREACHABLE = re.compile(r"\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b")
FETCHED = re.compile(r"npm http (?:fetch|cache) .*?/((?:@[^/\s]+/)?[^/\s]+)/-/\S+\.tgz")
NEEDS = "HeartRule's web app needs Node.js 20.19 or newer (of 22: 22.12 or newer)"
INSTEAD = "and run the same command again. `make chat` opens a session in the terminal and needs no Node.js."


def check_node() -> None:
    """Node.js is there and new enough, and npm with it."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        raise Trouble(
            f"{NEEDS}, and none was found on this machine.\n"
            f"Install it (nodejs.org, or your system's packages) {INSTEAD}"
        )
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)\.(\d+)", asked.stdout)
    if version is None or not new_enough(int(version[1]), int(version[2])):
        present = asked.stdout.strip() or "one that does not start"
        raise Trouble(f"{NEEDS}, and this machine has {present}.\nInstall a newer one (nodejs.org) {INSTEAD}")
    if shutil.which("npm") is None:
        raise Trouble(
            "HeartRule's web app is built with npm, which usually comes with Node.js, and it was not found.\n"
            f"Install it (on Debian or Ubuntu: sudo apt install npm) {INSTEAD}"
        )


def new_enough(major: int, minor: int) -> bool:
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def sources(folder: Path = WEB) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in NOT_SOURCES and not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names))


def digest(folder: Path, paths: Iterator[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def stamp_text(of_sources: str) -> str:
    """What the stamp says when what was built is what was built from these sources."""
    found = (digest(folder, (path for path in sorted(folder.rglob("*")) if path.is_file())) for folder in built())
    return "".join(f"{each}\n" for each in (of_sources, *found))


def built() -> list[Path]:
    """Where the pages are that are built from these sources."""
    return [WEB / "apps" / app / "dist" for app in APPS if (WEB / "apps" / app).is_dir()]


def is_built() -> bool:
    there = all((folder / "index.html").is_file() for folder in built()) and STAMP.is_file()
    return there and STAMP.read_text(encoding="utf-8") == stamp_text(digest(WEB, sources()))


def packages(lock: Path) -> dict[str, dict[str, object]]:
    """The packages in a lock file by their folder, without our own."""
    listed: dict[str, dict[str, object]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return {name: entry for name, entry in listed.items() if "node_modules/" in name}


def is_installed() -> bool:
    """npm's list of what it installed agrees with the lock file; what is for other machines may be absent."""
    done = WEB / "node_modules" / ".package-lock.json"
    if not done.is_file():
        return False
    wanted, present = packages(WEB / "package-lock.json"), packages(done)
    for name, entry in wanted.items():
        if name not in present:
            if not entry.get("optional"):
                return False
        elif any(entry.get(key) != present[name].get(key) for key in ("version", "integrity", "link")):
            return False
    return present.keys() <= wanted.keys()


def npm(*arguments: str, doing: str, count: int = 0) -> None:
    command = [shutil.which("npm") or "npm", *arguments]

    def taken(line: str) -> str | None:
        found = FETCHED.match(line)
        return found and found[1]

    code, words = run_telling(command, WEB, LOG, taken=taken, count=count)
    if code:
        raise Trouble(explanation(words, doing))


def explanation(words: str, doing: str) -> str:
    if "EINTEGRITY" in words:
        return (
            "A package did not match the fingerprint in web/package-lock.json, so nothing was installed from it.\n"
            f"Your package registry may be serving other files. Details: {LOG}"
        )
    if UNREACHABLE.search(words):
        return (
            "What the web app is built from could not be fetched: no connection to a package registry.\n"
            f"Check the network (or npm's proxy and registry settings) and run the same command again. Details: {LOG}"
        )
    return f"{doing} failed. npm says:\n{last_words(words, r'npm (?:error|ERR!) ')}\nDetails: {LOG}"


def install() -> None:
    if is_installed():
        return
    check_node()
    say("Installing what the web app is built from, as web/package-lock.json lists it.")
    npm(
        *("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=http"),
        *("--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"),
        doing="Installing what the web app is built from",
        count=len(packages(WEB / "package-lock.json")),
    )


def build() -> None:
    """Install what is missing and build, unless the built app is of these sources."""
    if is_built():
        return
    check_node()
    install()
    say("Building the web app.")
    STAMP.unlink(missing_ok=True)
    before = digest(WEB, sources())
    npm("run", "build", doing="Building the web app")
    STAMP.parent.mkdir(exist_ok=True)
    STAMP.write_text(stamp_text(before), encoding="utf-8")
