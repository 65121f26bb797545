"""What actions leave to be remembered, and what comes back to mind before their first words."""
