"""How well and how fast memory finds what was said."""
