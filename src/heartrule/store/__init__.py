"""What people say, kept: nothing lost, nothing doubled, nothing readable at rest."""

from heartrule.store.store import Store

__all__ = ["Store"]
