"""Makes ``.venv`` from the lock file. ``run`` installs what HeartRule needs, ``test`` what its tests need besides.

Standard library only, since it runs before anything is installed. A stamp in ``.venv`` remembers what was installed, so
that a second run does nothing.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"run": "requirements.lock", "test": "requirements-dev.lock"}
UNREACHABLE = re.compile(
    r"NewConnectionError|NameResolutionError|name resolution|Connection refused|ConnectTimeout|ProxyError|"
    r"Network is unreachable|Connection to .* timed out|Read timed out|connection error|Connection reset"
)
TAMPERED = "DO NOT MATCH THE HASHES"


class Trouble(Exception):
    """Something is missing; the text says what, and what to do."""


def say(text: str) -> None:
    print(text, flush=True)


class Environment:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

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


def progress(line: str, done: int, count: int) -> None:
    text = f"    {done:>3} of at most {count}  {line}"
    if sys.stdout.isatty():
        print(f"\r\x1b[K{text[:110]}", end="", flush=True)
    else:
        say(text)


def pip(environment: Environment, *arguments: str, count: int = 0) -> None:
    """Runs pip with its words kept for the log, and one line of progress for each package it takes up."""
    command: list[str] = [
        str(environment.python),
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
        "install",
        *arguments,
    ]
    words: list[str] = []
    done = 0
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    )
    assert process.stdout is not None
    for line in process.stdout:
        words.append(line)
        if count and (taken := re.match(r"(?:Collecting |Processing \S*/)([\w.]+(?:-[a-z]\w*)*)(?:==|-)", line)):
            done += 1
            progress(taken[1], done, count)
        elif count and line.startswith("Installing collected packages"):
            progress("unpacking", done, count)
    if count and sys.stdout.isatty():
        print()
    code = process.wait()
    log = environment.folder / "setup.log"
    log.write_text("".join(words), encoding="utf-8")
    if code:
        raise Trouble(explanation("".join(words), log))


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
    last = "\n".join(line for line in words.splitlines() if line.startswith("ERROR"))[-800:]
    return f"The packages could not be installed. pip says:\n{last or words[-800:]}\nDetails: {log}"


def install(environment: Environment, purpose: str) -> None:
    lock = ROOT / LOCKS[purpose]
    count = len(re.findall(r"^[a-z0-9]\S*==", lock.read_text(encoding="utf-8"), re.MULTILINE))
    say(f"  Installing what {lock.name} lists, each file checked against its fingerprint.")
    pip(environment, "--require-hashes", "--retries", "2", "--requirement", lock.name, count=count)
    say("  Installing HeartRule itself from this folder.")
    pip(environment, "--no-deps", "--no-build-isolation", "--no-index", "--editable", ".")


def main(purpose: str) -> None:
    environment = Environment(ROOT / ".venv")
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
    say("Ready.")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Trouble as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        sys.exit(130)
