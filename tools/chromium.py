"""The browser that tests and pictures use: a Chromium that is there, else one that is installed for them. Run with the
Python of ``.venv``, whose playwright may have one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from telling import Trouble, last_words, run_telling, say

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / ".venv" / "chromium.log"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHOSEN = "HEARTRULE_CHROMIUM"
PATIENCE = 600.0
"""Seconds to wait for another program that is installing packages."""
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


def found() -> Path | None:
    """The program that was chosen, one on the search path, or the one that playwright keeps."""
    chosen = os.environ.get(CHOSEN)
    if chosen:
        path = shutil.which(chosen)
        if path is None:
            raise Trouble(f"{CHOSEN}={chosen} is no program. Name a Chromium or Chrome, or leave {CHOSEN} out.")
        return Path(path)
    for name in NAMES:
        if path := shutil.which(name):
            return Path(path)
    return playwrights_own()


def playwrights_own() -> Path | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


def shows_chinese() -> bool:
    if shutil.which("fc-list") is None:
        return sys.platform in ("darwin", "win32")
    return bool(subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False).stdout.strip())


def apt() -> list[str] | None:
    """How packages are installed here without asking anybody, if they can be."""
    if not sys.platform.startswith("linux") or shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    sudo = shutil.which("sudo")
    if sudo is None or subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode:
        return None
    return [sudo, "-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]


def install_by_apt(command: list[str], packages: list[str]) -> bool:
    """Whether it worked. Waits while another program holds the lock."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    begun = time.monotonic()
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        while True:
            line = [*command, "-o", f"DPkg::Lock::Timeout={PATIENCE:.0f}", *arguments]
            code, words = run_telling(line, ROOT, LOG, environment=environment)
            if code == 0:
                break
            if "Could not get lock" not in words or time.monotonic() - begun > PATIENCE:
                return False
            time.sleep(2)
    return True


def set_up() -> None:
    """A Chromium that starts, and a font for Chinese."""
    packages = [] if found() else ["chromium"]
    packages += [] if shows_chinese() else ["fonts-noto-cjk"]
    if not packages:
        return
    command = apt()
    if command is not None:
        say(f"Installing {' and '.join(packages)} for the tests in the browser.")
        install_by_apt(command, packages)
    if found() is None:
        say("Fetching a Chromium for the tests in the browser.")
        code, words = run_telling([sys.executable, "-m", "playwright", "install", "chromium"], ROOT, LOG)
        if code:
            raise Trouble(
                "The tests in the browser need Chromium or Chrome, and none was found or could be installed:\n"
                f"{last_words(words)}\n"
                f"Install one (on Debian or Ubuntu: sudo apt install chromium) or name it in {CHOSEN}, and run the\n"
                f"same command again. Details: {LOG}"
            )
    if not shows_chinese():
        say("No font for Chinese was found: the tests run, but pictures of pages will show boxes for characters.")


if __name__ == "__main__":
    try:
        set_up()
    except Trouble as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        sys.exit(1)
