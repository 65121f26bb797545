"""Property tests take the same examples in every run of the same code, so that a green run stays green wherever it is
repeated; with ``HEARTRULE_RANDOM=1`` (`make fuzz`) they take fresh ones."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("fresh", derandomize=False, print_blob=True)
settings.load_profile("fresh" if os.environ.get("HEARTRULE_RANDOM") == "1" else "same")
