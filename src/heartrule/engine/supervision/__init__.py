"""How what was learnt in one turn makes the next one better: monitors, strategies, plans."""
