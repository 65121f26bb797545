"""Migrations, as alembic runs them: ``main`` for the data, ``keys`` for the data keys."""
