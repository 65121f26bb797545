"""What is remembered of a person, and which of it comes back to mind. Pure: no model, no index, nothing outside."""
