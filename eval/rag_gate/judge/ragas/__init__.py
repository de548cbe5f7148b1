"""Metrics of ragas, measured by ragas itself in a process that has neither key nor network settings."""
