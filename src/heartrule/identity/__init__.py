"""Who of the operator's staff is who: accounts and how they sign in, and the one place that decides who may do what."""
