"""Visitors who answer by rules and chance, or are played by a model; the sessions they hold, and what those show."""
