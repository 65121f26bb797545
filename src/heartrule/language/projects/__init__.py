"""Projects: folders of scripts and of what stands beside them, read into one."""
