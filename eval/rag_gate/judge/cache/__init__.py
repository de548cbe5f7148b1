"""Replies of a model kept between runs: found by what was asked, of whom and how; never trusted blindly."""

from rag_gate.judge.cache.keys import cache_key
from rag_gate.judge.cache.location import cache_folder
from rag_gate.judge.cache.replies import ReplyCache
from rag_gate.judge.cache.store import MAX_BYTES, TTL, Counters, EntryCache

__all__ = ["MAX_BYTES", "TTL", "Counters", "EntryCache", "ReplyCache", "cache_folder", "cache_key"]
