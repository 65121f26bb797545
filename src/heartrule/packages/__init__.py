"""Packages: projects of scripts that are signed, put into an index, and installed with what they require."""
