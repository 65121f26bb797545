"""What a language model is asked, and when: tasks, checkpoints, foresight."""
