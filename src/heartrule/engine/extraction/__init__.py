"""From a person's words to values that are known to be theirs."""
