"""The HTTP API, its live events and the page: sessions over the network. One router a noun."""
