"""A quality gate for RAG chatbots."""

__version__ = "0.1.0"
