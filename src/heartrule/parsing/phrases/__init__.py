"""Phrases that are read as a whole, by kind: files that anybody can read and widen."""
