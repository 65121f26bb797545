"""Variables: what a name means, where it is written, and what rests on it."""
