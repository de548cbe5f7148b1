"""How long the page of many cases takes: to be written, and to open, filter, order and show a case in Chromium."""

import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("eval", "tests/integration")]

from browser import chromium, opened  # noqa: E402
from page_material import large_sources  # noqa: E402
from playwright.sync_api import Browser  # noqa: E402

from rag_gate.config_models import ReportConfig  # noqa: E402
from rag_gate.report.html.page import write_page  # noqa: E402

CASES = 5_000
MOST_S = 2.0
TIMES = 5


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        page = Path(name) / "report.html"
        sources = large_sources(Path(name), count)
        started = time.perf_counter()
        write_page(page, sources, ReportConfig())
        print(
            f"write        {time.perf_counter() - started:6.2f} s   {page.stat().st_size / 1e6:.1f} MB, {count:,} cases"
        )
        opening = sorted(open_once(browser, page, count) for _ in range(TIMES))
        print(f"open         {opening[TIMES // 2]:6.2f} s   (median of {TIMES}; slowest {opening[-1]:.2f} s)")
        for what, seconds in use(browser, page, count).items():
            print(f"{what:<12} {seconds:6.2f} s")
    return int(opening[TIMES // 2] > MOST_S)


def open_once(browser: Browser, page: Path, count: int) -> float:
    """Return the seconds from the request to a table that can be used, as the browser itself counts them."""
    with opened(browser, page) as found:
        found.page.get_by_text(f"of {count} cases").wait_for()
        took = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        return float(found.page.evaluate(took)) / 1000


def use(browser: Browser, page: Path, count: int) -> dict[str, float]:
    """Return the seconds of what a reader does, each until it is shown."""
    measured = {}
    with opened(browser, page) as found:
        started = time.perf_counter()
        found.page.get_by_role("button", name="correctness").click()
        found.page.locator("th[aria-sort=ascending]").wait_for()
        measured["order"] = time.perf_counter() - started
        started = time.perf_counter()
        found.page.locator("[name=q]").fill(f"case-{count - 1:05}")
        found.page.get_by_text("of 1 cases").wait_for()
        measured["filter"] = time.perf_counter() - started
        started = time.perf_counter()
        found.page.locator("#table tbody a").click()
        found.page.locator("#case .chunks").wait_for()
        measured["open a case"] = time.perf_counter() - started
    return measured


if __name__ == "__main__":
    sys.exit(main())
