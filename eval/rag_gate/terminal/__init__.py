"""How much to say on a terminal, and in which colours."""
