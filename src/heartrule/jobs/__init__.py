"""Work outside turns: rows of the outbox become jobs, done until they are done, whoever dies meanwhile.

A job is at least once begun and its effect in our database is exactly once. ``work`` says what is to be done for a kind
of row, ``dispatch`` finds the rows and hands them to a ``Runner``; ``durable`` runs them on DBOS.
"""
