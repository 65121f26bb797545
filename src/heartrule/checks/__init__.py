"""What a model wrote is held against rules before anybody sees it. Pure: no I/O, no clock, nothing of the engine."""
