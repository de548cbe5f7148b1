"""The report of a check: one markdown comment for the pull request, and the same as JSON."""
