"""Take the pictures of the documentation: the comment and the page of the example bot with a worse retriever.

Needs the test packages and a Chromium (``scripts/test-programs``). Writes ``docs/images/*.png``; nothing is fetched.
"""

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / "eval"), str(DOCS.parent / "tests" / "integration")]

import cmarkgfm  # noqa: E402
from browser import chromium  # noqa: E402
from cmarkgfm.cmark import Options  # noqa: E402
from page_material import example_report  # noqa: E402
from playwright.sync_api import Browser  # noqa: E402

IMAGES = DOCS / "images"
MOST_BYTES = 200_000
#: Close to what GitHub shows a comment with.
STYLE = """
:root { --ink: #1f2328; --paper: #fff; --line: #d1d9e0; --soft: #59636e; --code: #818b981f; --row: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f6fc; --paper: #0d1117; --line: #3d444d; --soft: #9198a1; --code: #656c7633; --row: #151b23; }
}
body { margin: 0; padding: 16px; background: var(--paper); color: var(--ink);
  font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK JP", Helvetica, Arial, sans-serif; }
.head { border: 1px solid var(--line); border-radius: 6px 6px 0 0; padding: 8px 16px; background: var(--row); color: var(--soft); }
.body { border: 1px solid var(--line); border-top: 0; border-radius: 0 0 6px 6px; padding: 16px; }
h2, h3 { line-height: 1.25; margin: 16px 0 12px; } h2 { font-size: 21px; border-bottom: 1px solid var(--line); padding-bottom: 6px; }
.body > :first-child { margin-top: 0; }
p, table, details, blockquote, ul { margin: 0 0 14px; }
table { border-collapse: collapse; display: block; overflow: auto; }
th, td { border: 1px solid var(--line); padding: 5px 11px; } tr:nth-child(2n) { background: var(--row); }
code { background: var(--code); border-radius: 6px; padding: .15em .35em; font: 85% ui-monospace, Menlo, Consolas, monospace; }
pre { background: var(--row); padding: 12px; } blockquote { border-left: 4px solid var(--line); padding: 0 1em; color: var(--soft); }
summary { cursor: pointer; }
"""


#: A machine without a font for them shows the comment's signs as empty boxes; these stand in.
SIGNS = {
    "❌": '<path d="M3 3 13 13M13 3 3 13" stroke="#d1242f" stroke-width="3"/>',
    "✅": '<rect x="1" y="1" width="14" height="14" rx="3" fill="#1a7f37"/><path d="M4 8l3 3 5-6" stroke="#fff" stroke-width="2" fill="none"/>',
    "⚠️": '<path d="M8 1 15.5 15H.5z" fill="#d4a72c"/><path d="M8 6v4m0 2v1.5" stroke="#000" stroke-width="1.6"/>',
    "⚪": '<circle cx="8" cy="8" r="6.5" fill="#fff" stroke="#888"/>',
}


class Picture(NamedTuple):
    """One picture: which file, at which place of it, how large, in which colours."""

    name: str
    file: str
    place: str = ""
    scheme: str = "light"
    height: int = 900


PICTURES = (
    Picture("comment", "comment.html"),
    Picture("comment-dark", "comment.html", scheme="dark"),
    Picture("page", "report.html", height=1060),
    Picture("page-dark", "report.html", scheme="dark", height=1060),
    Picture("page-cases", "report.html", "#change=newly_failing"),
    Picture("page-case", "report.html", "#case=en-multi-03", height=1240),
)


def main() -> int:
    """Take all pictures; 1 if one became too large."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        report = example_report(Path(folder), "retriever-break", "extended")
        comment = (report / "comment.md").read_text(encoding="utf-8")
        (report / "comment.html").write_text(as_on_github(comment), encoding="utf-8")
        sizes = [take(browser, report, picture) for picture in PICTURES]
    return int(max(sizes) > MOST_BYTES)


def as_on_github(comment: str) -> str:
    """Return a comment as a web page, by GitHub's own markdown."""
    body = cmarkgfm.github_flavored_markdown_to_html(comment, Options.CMARK_OPT_UNSAFE)
    for sign, drawing in SIGNS.items():
        body = body.replace(
            sign,
            f'<svg width="1em" height="1em" viewBox="0 0 16 16" style="vertical-align:-.1em">{drawing}</svg>',
        )
    return (
        f'<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>{STYLE}</style>'
        f'<div class="head"><b>github-actions</b> bot commented</div><div class="body">{body}</div>'
    )


def take(browser: Browser, report: Path, picture: Picture) -> int:
    """Take one picture and return its size in bytes."""
    context = browser.new_context(
        color_scheme="dark" if picture.scheme == "dark" else "light",
        viewport={"width": 1120, "height": picture.height},
    )
    page = context.new_page()
    page.goto((report / picture.file).as_uri() + picture.place)
    if "change=" in picture.place:
        page.locator("#cases").evaluate("part => part.scrollIntoView()")
    path = IMAGES / f"{picture.name}.png"
    page.screenshot(path=path)
    context.close()
    size = path.stat().st_size
    print(f"wrote {path.relative_to(DOCS.parent)} ({size:,} bytes)")
    return size


if __name__ == "__main__":
    sys.exit(main())
