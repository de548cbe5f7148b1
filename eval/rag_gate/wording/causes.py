"""What is said where the signs point to one cause, in the gate's comment and about production alike."""

#: More empty results, or lower scores, without an error.
INDEX_MISMATCH = (
    "the questions no longer fit the index: the embedding model was changed without re-indexing (or the other way round), "
    "or the index is broken or incomplete"
)
