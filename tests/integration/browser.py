"""A real browser for pages: started once, no network, and everything that goes wrong is kept."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Route, sync_playwright

_PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
#: Policy violations are told to the document only; this keeps them.
_WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective + " " + e.blockedURI));
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the machine's Chromium; skip the tests where there is none."""
    if _PROGRAM is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_PROGRAM, args=_ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A page that was opened, with what it asked for and what went wrong."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []

    def violations(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.violations")
        return found

    @property
    def ids(self) -> list[str]:
        """The cases in the table, as shown."""
        return self.page.locator("#table tbody a").all_inner_texts()


@contextmanager
def opened(browser: Browser, path: Path, fragment: str = "", **context: Any) -> Iterator[Opened]:
    """Open a file in a fresh context that lets nothing but the file itself through."""
    made = browser.new_context(**context)
    made.add_init_script(_WATCH)
    page = made.new_page()
    found = Opened(page)

    def refuse(route: Route) -> None:
        if route.request.url.partition("#")[0] == path.as_uri():
            route.continue_()
            return
        found.requests.append(route.request.url)
        route.abort()

    def note(said: ConsoleMessage) -> None:
        if said.type in {"error", "warning"}:
            found.errors.append(said.text)

    def dismiss(dialog: Dialog) -> None:
        found.errors.append(dialog.message)
        dialog.dismiss()

    made.route("**/*", refuse)
    page.on("console", note)
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    page.on("dialog", dismiss)
    page.goto(path.as_uri() + fragment)
    yield found
    made.close()
