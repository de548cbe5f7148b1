"""A small, real question-answering bot: BM25 retrieval and quoted answers, no language model."""
