"""Turns as OpenTelemetry traces: one turn is one trace, one call of a model one span in it."""
