"""Where scripts are written: projects of the store, and those that lie in folders, opened for an author's editor."""
