"""What interactive actions share: rounds, asking again, ending."""
