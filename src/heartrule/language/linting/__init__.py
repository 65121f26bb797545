"""What is wrong with scripts beyond their shape, told and mended, without running anything."""
