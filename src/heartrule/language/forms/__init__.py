"""What the answers of a form mean: pure functions, without engine, storage or person."""
