"""Request logs of a bot in production: their signals, their drift from a baseline, candidates for the golden set."""
