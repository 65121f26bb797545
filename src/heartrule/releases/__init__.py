"""Releases of projects: what has to be done before one is published, what it would do to sessions that are not over,
and how it does beside the former one."""
