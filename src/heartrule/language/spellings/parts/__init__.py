"""Other spellings, a file for each part of a script: what is written elsewhere → edits that make it ours."""
