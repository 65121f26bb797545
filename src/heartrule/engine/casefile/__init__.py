"""The case file of a session: what was refused, asked, promised and may not be lost, with the words that say it."""
