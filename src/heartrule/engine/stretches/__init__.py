"""Stretches of talk: an ``ai_ask`` with several outputs, led by the model within what code keeps."""
