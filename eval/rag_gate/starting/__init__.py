"""The first steps in a repository: what is there, and what is written for it."""
