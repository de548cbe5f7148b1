"""Simulated golden sets, and how often each rule is right on them."""
