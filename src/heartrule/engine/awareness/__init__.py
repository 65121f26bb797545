"""What watches over a session: rules, awareness scripts, the crisis technique, and what they order."""
