"""The Debug Adapter Protocol over a debug session, for editors. A thin adapter: it decides nothing."""
