"""The view as JSON: what the comment says, for programs that say it elsewhere."""

import json
import re
from dataclasses import asdict
from typing import Any

from rag_gate.masking import Masker
from rag_gate.report.model import SCHEMA_VERSION, CommentView

#: In names of files that are no UTF-8; JSON that is written as UTF-8 has no form for them.
_SURROGATE = re.compile("[\ud800-\udfff]")


def view_json(view: CommentView, masker: Masker) -> str:
    """Return the view as one JSON document, with a mark in the place of every value that may not be shown.

    Texts are as they are, without the escaping of markdown: whoever shows them has to escape them.
    """
    document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "kind": "report", **asdict(view)}
    text = json.dumps(masker.mask_tree(document), ensure_ascii=False, allow_nan=False, indent=1)
    return _SURROGATE.sub("\ufffd", text) + "\n"
