"""Action types, one file each: its fields and traits, and what it does."""
