"""A person's words on their way through a turn, step by step; ``claims`` says whose they are."""
