"""What may stand in a comment as it is, told apart by type from what has to be escaped."""


class Markdown(str):
    """Finished markdown of our own: numbers, words, code spans of escaped text.

    A template writes it as it is. Every other ``str`` is escaped when it is written, whatever the
    template does; joining a ``Markdown`` with anything makes a plain ``str`` again.
    """

    __slots__ = ()
