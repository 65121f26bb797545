"""The topic scheduler: what comes next, what is put aside, and when time runs short."""
