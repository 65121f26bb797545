"""The debugger: an author's present text, saved or not, run on the real engine under somebody's hands.

A debug session is a tape of moves: what came in, when, what was answered, what was changed by hand. Everything that is
shown is worked out of it, so that going back, branching, editing and going on, and coming back after a crash are one
and the same thing: working out again, up to another place.
"""
