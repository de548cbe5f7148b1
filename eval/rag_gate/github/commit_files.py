"""Files of a commit: from git where it is at hand, else from GitHub's API; and those of the work tree."""

from pathlib import Path, PurePosixPath
from typing import NamedTuple, Protocol

from rag_gate.errors import NotJudgedError
from rag_gate.files import read_bytes
from rag_gate.git import ask_git, read_git
from rag_gate.github.client import GitHub

_FILES = 500
_LINKS = frozenset({"120000", "160000"})
_LFS = b"version https://git-lfs.github.com/spec/"


class Files(Protocol):
    """The files of one commit.

    Attributes:
        commit: its full id.
        source: where the files come from, in words.
    """

    commit: str
    source: str

    def files(self, path: str) -> list[str]:
        """Return the files at a path: itself, or all below it; none where the commit has nothing there."""
        ...

    def read(self, path: str) -> bytes:
        """Return the content of one of these files."""
        ...


class GitFiles:
    """Files of a commit that the local repository holds."""

    source = "git"

    def __init__(self, root: Path, commit: str) -> None:
        self._root, self.commit = root, commit

    def files(self, path: str) -> list[str]:
        """Return the files at a path.

        Raises:
            NotJudgedError: for links: what they point to is not what was reviewed.
        """
        listed = ask_git(self._root, "ls-tree", "-r", "-z", "--full-tree", self.commit, "--", path)
        if listed is None:
            raise NotJudgedError(f"git: cannot list {path} of {self.commit[:12]}")
        found = []
        for entry in filter(None, listed.split("\0")):
            head, _, name = entry.partition("\t")
            _refuse_link(name, head.split(" ")[0])
            found.append(name)
        if not found:
            self._refuse_link_above(path)
        return _few(path, found)

    def _refuse_link_above(self, path: str) -> None:
        """Refuse a path through a link: git finds nothing there, and "not there" would mean "no such rule yet"."""
        above = [part.as_posix() for part in PurePosixPath(path).parents if part.name]
        listed = (
            ask_git(self._root, "ls-tree", "-z", "--full-tree", self.commit, "--", *above) if above else ""
        )
        for entry in filter(None, (listed or "").split("\0")):
            head, _, name = entry.partition("\t")
            _refuse_link(name, head.split(" ")[0])

    def read(self, path: str) -> bytes:
        """Return a file's content, without filters."""
        found = read_git(self._root, "cat-file", "blob", f"{self.commit}:{path}")
        if found is None:
            raise NotJudgedError(f"git: cannot read {path} of {self.commit[:12]}")
        return _whole(path, found)


class ApiFiles:
    """Files of a commit that only GitHub holds (a shallow checkout)."""

    source = "GitHub's API"

    def __init__(self, github: GitHub, commit: str) -> None:
        self._github, self.commit = github, commit
        self._known: dict[str, bytes] = {}

    def files(self, path: str) -> list[str]:
        """Return the files at a path; contents are kept, since the API sends them along."""
        waiting, found = [path], list[str]()
        while waiting and len(found) <= _FILES:
            name = waiting.pop()
            content = self._github.content(name, self.commit)
            if isinstance(content, list):
                waiting += content
            elif content is not None:
                self._known[name] = content
                found.append(name)
        if not found:
            self._refuse_link_above(path)
        return _few(path, sorted(found))

    def _refuse_link_above(self, path: str) -> None:
        """Refuse a path through a link, as git's files do; the nearest folder that is there tells."""
        for part in PurePosixPath(path).parents:
            if not part.name or self._github.content(part.as_posix(), self.commit) is not None:
                return

    def read(self, path: str) -> bytes:
        """Return a file's content."""
        if path not in self._known:
            content = self._github.content(path, self.commit)
            if not isinstance(content, bytes):
                raise NotJudgedError(f"GitHub: {path} of {self.commit[:12]} is no file")
            self._known[path] = content
        return _whole(path, self._known[path])


class TreeFiles:
    """Files as they stand in the work tree."""

    source = "the checkout"
    commit = "HEAD"

    def __init__(self, root: Path) -> None:
        self._root = root

    def files(self, path: str) -> list[str]:
        """Return the files at a path."""
        start = self._root / path
        if start.is_file():
            return [path]
        below = sorted(found for found in start.rglob("*") if found.is_file()) if start.is_dir() else []
        return _few(path, [found.relative_to(self._root).as_posix() for found in below])

    def read(self, path: str) -> bytes:
        """Return a file's content."""
        return read_bytes(self._root / path)


class Parents(NamedTuple):
    """The first two parents of a merge commit."""

    base: str
    head: str


def merge_parents(root: Path) -> Parents | None:
    """Return the parents of HEAD if it is a merge of two; a shallow clone knows them by name only."""
    text = ask_git(root, "cat-file", "commit", "HEAD") or ""
    header = text.split("\n\n", 1)[0].split("\n")
    parents = [line.removeprefix("parent ") for line in header if line.startswith("parent ")]
    return Parents(*parents) if len(parents) == len(Parents._fields) else None


def has_commit(root: Path, commit: str) -> bool:
    """Tell whether the repository holds a commit with its files."""
    return ask_git(root, "cat-file", "-e", f"{commit}^{{tree}}") is not None


def lacks_files(root: Path) -> bool:
    """Tell whether the repository is a partial clone, which may hold a commit without the contents of its files."""
    return ask_git(root, "config", "--get-regexp", r"^remote\..*\.(promisor|partialclonefilter)$") is not None


def _few(path: str, found: list[str]) -> list[str]:
    if len(found) > _FILES:
        raise NotJudgedError(f"{path}: holds more than {_FILES} files; name the file that is meant")
    return found


def _refuse_link(name: str, mode: str) -> None:
    if mode in _LINKS:
        raise NotJudgedError(f"{name}: is a link in the base commit; the gate needs the file itself there")


def _whole(path: str, content: bytes) -> bytes:
    if content.startswith(_LFS):
        raise NotJudgedError(
            f"{path}: is kept in Git LFS, so the base commit holds a pointer only; keep the gate's files in git itself"
        )
    return content
