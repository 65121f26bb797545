"""What has changed between two versions of a project's texts, in words."""
