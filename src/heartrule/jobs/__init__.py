"""Work outside turns: rows of the outbox become jobs, done until they are done, whoever dies meanwhile.

A job is at least once begun and its effect in our database is exactly once. ``job`` says what is to be done for a kind
of row; ``worker`` finds the rows that are due, does them, and does again and again what has no end.
"""
