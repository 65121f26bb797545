"""Sets up what a command needs, and nothing that is there already.

``chat``: ``.venv``; ``run``: the built web app besides; ``test``: what tests need besides, a browser among it.
Standard library only, since it runs before anything is installed.
"""

from __future__ import annotations

import subprocess
import sys

import environment
import web_app
from telling import Trouble


def main(purpose: str) -> None:
    if purpose == "chat":
        environment.set_up("run")
        return
    if not web_app.is_built() or (purpose == "test" and not web_app.is_installed()):
        web_app.check_node()
    environment.set_up(purpose)
    if purpose == "test":
        web_app.install()
    web_app.build()
    if purpose == "test":
        chromium = subprocess.run([environment.PYTHON, environment.ROOT / "tools" / "chromium.py"], check=False)
        if chromium.returncode:
            sys.exit(chromium.returncode)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Trouble as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        sys.exit(130)
