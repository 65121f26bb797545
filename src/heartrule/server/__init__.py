"""The HTTP API, its live events and the page: sessions over the network. One router a noun."""

from heartrule.server.app import build
from heartrule.server.settings import ServerSettings

__all__ = ["ServerSettings", "build"]
