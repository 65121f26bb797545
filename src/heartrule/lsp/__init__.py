"""The Language Server Protocol over what ``authoring`` knows of scripts."""
