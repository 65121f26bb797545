"""What the person is told and shown."""
