"""The environment ``.venv``: made with Python's own venv, filled from a lock file. A stamp in it remembers what was
installed, so that a second run does nothing."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from telling import Trouble, last_words, run_telling, say

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOCKS = {"run": "requirements.lock", "test": "requirements-dev.lock"}
UNREACHABLE = re.compile(
    r"NewConnectionError|NameResolutionError|name resolution|Connection refused|ConnectTimeout|ProxyError|"
    r"Network is unreachable|Connection to .* timed out|Read timed out|connection error|Connection reset"
)
TAMPERED = "DO NOT MATCH THE HASHES"
TAKEN = re.compile(r"(?:Collecting |Processing \S*/)([\w.]+(?:-[a-z]\w*)*)(?:==|-)|(Installing) collected packages")


class Environment:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / PYTHON.relative_to(FOLDER)

    def stamp(self, purpose: str) -> Path:
        return self.folder / f".installed-for-{purpose}"

    def usable(self) -> bool:
        """It is there, its Python starts and is new enough, and it has not been moved with the folder round it."""
        if not self.python.exists():
            return False
        home = self.folder / ".made-at"
        if home.exists() and home.read_text(encoding="utf-8") != str(self.folder):
            return False
        check = "import sys, pip; raise SystemExit(sys.version_info < (3, 11))"
        return subprocess.run([self.python, "-c", check], capture_output=True, check=False).returncode == 0

    def make(self) -> None:
        if self.folder.exists() and any(self.folder.iterdir()) and not (self.folder / "pyvenv.cfg").exists():
            raise Trouble(f"{self.folder} is not an environment of Python's. Move it away and run this again.")
        try:
            import ensurepip
            import venv
        except ImportError as missing:
            raise Trouble(
                f"This Python ({sys.executable}) comes without its venv module.\n"
                "On Debian or Ubuntu: sudo apt install python3-venv. Then run the same command again."
            ) from missing
        del ensurepip
        try:
            venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(self.folder)
        except (OSError, subprocess.CalledProcessError) as failed:
            raise Trouble(f"The environment {self.folder} could not be made: {failed}") from failed
        (self.folder / ".made-at").write_text(str(self.folder), encoding="utf-8")


def wanted(purpose: str) -> str:
    digest = hashlib.sha256()
    for name in (LOCKS[purpose], "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    digest.update(str(ROOT).encode())
    return digest.hexdigest()


def pip(environment: Environment, *arguments: str, count: int = 0) -> None:
    command = [str(environment.python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", *arguments]
    log = environment.folder / "setup.log"

    def taken(line: str) -> str | None:
        found = TAKEN.match(line)
        return found and (found[1] or "unpacking")

    code, words = run_telling(command, ROOT, log, taken=taken, count=count)
    if code:
        raise Trouble(explanation(words, log))


def explanation(words: str, log: Path) -> str:
    if TAMPERED in words:
        return (
            "A package did not match the fingerprint in the lock file, so nothing was installed from it.\n"
            f"Your package index may be serving other files. Details: {log}"
        )
    if UNREACHABLE.search(words):
        return (
            "The packages could not be fetched: no connection to a package index.\n"
            f"Check the network (or pip's proxy and index settings) and run the same command again. Details: {log}"
        )
    return f"The packages could not be installed. pip says:\n{last_words(words, 'ERROR')}\nDetails: {log}"


def install(environment: Environment, purpose: str) -> None:
    lock = ROOT / LOCKS[purpose]
    count = len(re.findall(r"^[a-z0-9]\S*==", lock.read_text(encoding="utf-8"), re.MULTILINE))
    say(f"  Installing what {lock.name} lists, each file checked against its fingerprint.")
    pip(environment, "--require-hashes", "--retries", "2", "--requirement", lock.name, count=count)
    say("  Installing HeartRule itself from this folder.")
    pip(environment, "--no-deps", "--no-build-isolation", "--no-index", "--editable", ".")


def set_up(purpose: str) -> None:
    """``run``: what HeartRule needs; ``test``: what its tests need besides."""
    environment = Environment(FOLDER)
    stamp, key = environment.stamp(purpose), wanted(purpose)
    if environment.usable():
        if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
            return
    else:
        say(f"Making the environment .venv with Python {platform.python_version()}.")
        environment.make()
    say("Setting up HeartRule in .venv" + (", with what its tests need." if purpose == "test" else "."))
    stamp.unlink(missing_ok=True)
    install(environment, purpose)
    stamp.write_text(key, encoding="utf-8")
    if purpose == "test":
        environment.stamp("run").write_text(wanted("run"), encoding="utf-8")
