"""Forms while they are filled, and what they leave behind."""
