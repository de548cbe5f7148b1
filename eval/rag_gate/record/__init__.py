"""Ask a bot every question of a golden set, and record what it found and said."""
