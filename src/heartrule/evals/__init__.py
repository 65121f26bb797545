"""How well a model does what sessions ask of it, on labelled files."""
