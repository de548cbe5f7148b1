"""Files that are shipped with the package: prompts, default configuration, templates.

They come from the package only. A user's repository usually has folders of the same names;
those are never read unless the user names them.
"""

from importlib import resources
from pathlib import Path


def shipped(kind: str) -> Path:
    """Return the shipped folder ``prompts``, ``config`` or ``templates``.

    Raises:
        FileNotFoundError: if the installation lacks it.
    """
    inside = Path(str(resources.files("rag_gate"))) / kind
    beside = Path(__file__).resolve().parents[2] / kind
    checkout = Path(__file__).resolve().parents[2] / "pyproject.toml"
    for folder in (beside, inside) if checkout.is_file() else (inside,):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"rag_gate/{kind} is missing from this installation; reinstall rag-gate")
