"""Projects → one script, with all that a session can reach."""
