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
    if inside.is_dir():
        return inside
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / "eval" / "rag_gate").is_dir():
        beside = checkout / kind
        if beside.is_dir():
            return beside
    raise FileNotFoundError(f"rag_gate/{kind} is missing from this installation; reinstall rag-gate")
