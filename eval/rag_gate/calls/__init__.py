"""Calling programs and services that may not answer: what every caller shares."""
