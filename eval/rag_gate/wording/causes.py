"""What is said where the signs point to one cause, in the gate's comment and about production alike."""

#: Few or no results and lower scores, without an error.
INDEX_MISMATCH = (
    "Likely cause: the questions no longer fit the index. The embedding model was changed without re-indexing "
    "(or the other way round), or the index is broken or incomplete."
)
