"""Pages to keep: what a session, or all of a person's, came to; made from the record, without a model."""
