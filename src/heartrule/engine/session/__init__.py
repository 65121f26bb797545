"""What a session is between turns, what reaches it, and what has happened in it: data only."""
