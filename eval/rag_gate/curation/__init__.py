"""Keeping a golden set: what is wrong with it, what it is made of, and which part of it stands for the whole."""
