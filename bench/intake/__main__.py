"""``python -m bench.intake``."""

from __future__ import annotations

from bench.intake.comparison import main

main()
