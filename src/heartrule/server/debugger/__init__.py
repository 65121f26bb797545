"""The debugger over HTTP: for authors who are signed in as developers, each with debug sessions of their own."""
