"""What GitHub Actions tells, and what it is told: events, trusted files, comment, summary, outputs."""
