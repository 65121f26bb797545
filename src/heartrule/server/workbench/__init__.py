"""The workbench over HTTP: projects of scripts, what an editor asks of them, and the language server in a socket."""
