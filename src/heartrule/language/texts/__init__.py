"""The text of a script file: where things stand in it, and edits that lose nothing of it."""
