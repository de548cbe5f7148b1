"""The page in a real browser: filter, order, open a case, keyboard, dark mode, print, hostile texts, many cases."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import chromium, opened
from cli_runner import rag_gate
from page_material import example_report, hostile_report, large_sources
from playwright.sync_api import Browser, Page, expect

from rag_gate.config_models import ReportConfig
from rag_gate.report.html.page import write_page

CASE = "#case=en-multi-03"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Path:
    del browser  # without one, nothing needs to be made
    return example_report(tmp_path_factory.mktemp("page")) / "report.html"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Path:
    del browser
    return hostile_report(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Path:
    del browser
    folder = tmp_path_factory.mktemp("large")
    write_page(folder / "report.html", large_sources(folder, 5_000), ReportConfig())
    return folder / "report.html"


def choose(page: Page, name: str, label: str) -> None:
    page.locator(f"#filters [name={name}]").select_option(label=label)


def test_the_first_screen_says_verdict_and_numbers(browser: Browser, report: Path) -> None:
    with opened(browser, report) as found:
        expect(found.page.locator("h1")).to_have_text("BLOCKED")
        chart = found.page.locator("svg.chart.bad").first
        assert "evidence@5: baseline 0.978, now 0.620, change -0.359" in (
            chart.get_attribute("aria-label") or ""
        )
        cells = found.page.locator("table.cells tbody td").all_inner_texts()
        assert sum(map(int, cells)) == 50
        assert found.page.locator("#count").inner_text() == "1–50 of 50 cases"
        assert (found.requests, found.errors, found.violations()) == ([], [], [])


def test_filters_leave_the_cases_that_fit_and_stand_in_the_address(browser: Browser, report: Path) -> None:
    with opened(browser, report) as found:
        choose(found.page, "change", "newly failing")
        assert len(found.ids) == 18
        choose(found.page, "s2", "ja")
        assert all(key.startswith("ja-") for key in found.ids)
        found.page.get_by_label("Search in ids and questions").fill("ロック アカウント")
        assert found.ids == ["ja-account-02"]
        found.page.reload()
        assert found.ids == ["ja-account-02"]
        found.page.get_by_label("Search in ids and questions").fill("nothing like this")
        expect(found.page.locator("#count")).to_have_text("No case fits these filters.")
        found.page.get_by_role("button", name="Clear filters").click()
        assert len(found.ids) == 50


def test_a_field_of_the_table_of_truths_leads_to_its_cases(browser: Browser, report: Path) -> None:
    with opened(browser, report) as found:
        link = found.page.get_by_role("link", name="cases: retrieval wrong, answer right")
        count = int(link.inner_text())
        link.click()
        assert len(found.ids) == count
        expect(found.page.locator("[name=cell]")).to_have_value("ny")


def test_scores_filter_and_order(browser: Browser, report: Path) -> None:
    with opened(browser, report) as found:
        choose(found.page, "metric", "evidence@5")
        choose(found.page, "score", "worse than the baseline")
        assert len(found.ids) == 19
        found.page.get_by_role("button", name="evidence@5").click()
        now = found.page.locator("#table tbody td.n:nth-child(6)").all_inner_texts()
        assert now == sorted(now, key=float)
        found.page.get_by_role("button", name="evidence@5").click()
        sorted_now = found.page.locator("th[aria-sort=descending]")
        expect(sorted_now).to_have_count(1)
        assert found.page.locator("#table tbody td.n:nth-child(6)").all_inner_texts() == now[::-1]


def test_a_case_shows_answers_claims_chunks_and_passages(browser: Browser, report: Path) -> None:
    with opened(browser, report) as found:
        found.page.locator("#table").get_by_role("link", name="en-multi-03", exact=True).click()
        case = found.page.locator("#case")
        expect(case.locator("h2")).to_have_text("en-multi-03")
        sides = case.locator(".side")
        expect(sides.nth(0)).to_contain_text("This run")
        expect(sides.nth(1)).to_contain_text("signing in again.")
        assert sides.nth(0).locator("mark.supported").count() == 2
        assert "grace period" in sides.nth(0).locator("mark.supported").first.inner_text()
        chunks = case.locator(".chunks > li")
        assert chunks.count() == 5
        expect(chunks.first.locator("mark.evidence")).to_contain_text(
            "Profile data of closed customer accounts"
        )
        expect(chunks.nth(1).locator("mark.part")).to_contain_text(
            "during a grace period of 30 days by signing in"
        )
        expect(case).to_contain_text("not whole in any retrieved text")
        expect(case).to_contain_text("1 of 2 evidence passages whole in none of the first 5 chunks")
        assert found.page.title().startswith("en-multi-03")
        found.page.go_back()
        expect(case).to_be_hidden()
        assert len(found.ids) == 50


def test_a_safety_finding_is_marked_in_the_answer(browser: Browser, report: Path) -> None:
    with opened(browser, report, "#case=ja-account-02") as found:
        expect(found.page.locator(".side mark.finding")).to_contain_text("10回間違える")
        expect(found.page.locator("#case")).to_contain_text("FORBIDDEN_STATEMENT")


def test_a_case_that_is_not_there_is_said(browser: Browser, report: Path) -> None:
    with opened(browser, report, "#case=gone") as found:
        expect(found.page.locator("#case h2")).to_have_text("There is no case “gone” in this report.")


def test_everything_can_be_done_with_the_keyboard(browser: Browser, report: Path) -> None:
    with opened(browser, report) as found:
        keyboard, page = found.page.keyboard, found.page
        keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.locator("[name=q]").focus()
        keyboard.type("en-multi")
        button = page.get_by_role("button", name="Case")
        button.focus()
        keyboard.press("Enter")
        expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Case")
        expect(button).to_be_focused()
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        page.locator("#table tbody a").nth(1).focus()
        name = page.evaluate("document.activeElement.textContent")
        keyboard.press("Enter")
        expect(page.locator("#case h2")).to_be_focused()
        page.get_by_role("link", name="Previous case").focus()
        keyboard.press("Enter")
        page.get_by_role("link", name="Next case").focus()
        keyboard.press("Enter")
        page.get_by_role("link", name="Back to all cases").focus()
        keyboard.press("Enter")
        expect(page.locator("#table tbody a", has_text=name)).to_be_focused()
        expect(page.locator("[name=q]")).to_have_value("en-multi")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["", CASE])
def test_no_serious_finding_of_the_accessibility_checker(
    browser: Browser, report: Path, scheme: str, fragment: str
) -> None:
    with opened(browser, report, fragment, color_scheme=scheme) as found:
        found.page.locator("details").first.evaluate(
            "all => document.querySelectorAll('details').forEach(d => d.open = true)"
        )
        violations = Axe().run(found.page).response["violations"]
        grave = [row for row in violations if row["impact"] in {"serious", "critical"}]
        assert [(row["id"], [node["target"] for node in row["nodes"]][:5]) for row in grave] == []


def test_dark_mode_follows_the_reader(browser: Browser, report: Path) -> None:
    shades = {}
    for scheme in ("light", "dark"):
        with opened(browser, report, color_scheme=scheme) as found:
            shades[scheme] = found.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert shades == {"light": "rgb(246, 247, 249)", "dark": "rgb(14, 17, 22)"}


def test_paper_gets_all_cases_and_no_controls(browser: Browser, large: Path, report: Path) -> None:
    with opened(browser, report, color_scheme="dark") as found:
        found.page.emulate_media(media="print")
        expect(found.page.locator("#filters")).to_be_hidden()
        assert found.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert found.page.pdf().startswith(b"%PDF")
    with opened(browser, large, "#s0=1") as found:
        assert len(found.ids) == 100
        found.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert found.page.locator("#table tbody tr").count() == 500
        found.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert found.page.locator("#table tbody tr").count() == 100


def test_hostile_texts_stay_texts(browser: Browser, hostile: Path) -> None:
    with opened(browser, hostile) as found:
        page = found.page
        for _ in range(3):
            page.locator("#table tbody a").first.click()
            expect(page.locator("#case h2")).to_contain_text("</script><script>")
            page.get_by_role("link", name="Back to all cases").click()
        page.locator("#table tbody a").first.click()
        shown = page.locator("#case").inner_text()
        for piece in (
            "<img src=x onerror=",
            "{{ 7*7 }}{% raw %}${7*7}",
            "<!--<script>-->",
            "]]>&lt;b&gt;",
            "<base href=",
        ):
            assert piece in shown, piece
        assert "⟦U+202E⟧" in shown
        assert "⟦U+E0041 ×2⟧" in shown
        assert not {"\u202e", "\u2066", "\x1b", "\U000e0041"} & set(page.content())
        assert page.locator("main img, main iframe, main script, base, main svg[onload]").count() == 0
        assert "owned" not in page.title().partition("</script>")[0]
        assert (found.requests, found.errors, found.violations()) == ([], [], [])


def test_the_policy_stops_what_slips_in(browser: Browser, report: Path) -> None:
    """What would happen if markup got in all the same: no script of it runs and nothing is fetched."""
    with opened(browser, report) as found:
        found.page.evaluate(
            """() => { const box = document.createElement("div"); document.body.append(box);
            box.innerHTML = "<img src='https://evil.example/x.png' onerror='window.owned = 1'>";
            const made = document.createElement("script"); made.textContent = "window.owned = 1"; box.append(made); }"""
        )
        found.page.wait_for_function("window.violations.length >= 2")
        assert found.page.evaluate("window.owned") is None
        assert found.requests == []


def test_five_thousand_cases_open_filter_and_order_at_once(browser: Browser, large: Path) -> None:
    with opened(browser, large, "#case=gone") as found:
        started = time.perf_counter()
        found.page.goto("about:blank")
        found.page.goto(large.as_uri())
        expect(found.page.locator("#count")).to_have_text("1–100 of 5000 cases")
        opening = time.perf_counter() - started
        started = time.perf_counter()
        found.page.get_by_label("Search in ids and questions").fill("letter 4999")
        assert found.ids == ["case-04999"]
        found.page.locator("#table tbody a").click()
        expect(found.page.locator("#case .chunks > li")).to_have_count(5)
        assert opening < 4
        assert time.perf_counter() - started < 4


def test_pages_of_the_table_are_turned(browser: Browser, large: Path) -> None:
    with opened(browser, large) as found:
        first = found.ids
        found.page.get_by_role("button", name="Next page").click()
        assert not set(first) & set(found.ids)
        expect(found.page.locator("#count")).to_have_text("101–200 of 5000 cases")
        found.page.get_by_role("button", name="Previous page").click()
        assert found.ids == first


def test_the_page_speaks_japanese(browser: Browser, report: Path, tmp_path: Path) -> None:
    config = report.parents[1] / "japanese.yml"
    settings = (report.parents[1] / "rag-gate.yml").read_text(encoding="utf-8")
    config.write_text(f"{settings}report: {{language: ja}}\n", encoding="utf-8")
    files: list[str | Path] = [
        report.with_name("results.json"),
        report.with_name("verdict.json"),
        "--config",
        config,
    ]
    page = tmp_path / "report.html"
    run = report.parents[1] / "changed.jsonl"
    ended = rag_gate("report", *files, "--run", run, "--format", "html", "--output", page)
    assert ended.code == 0, ended.err
    with opened(browser, page, "#case=ja-account-02") as found:
        assert found.page.locator("html").get_attribute("lang") == "ja"
        expect(found.page.locator("#case")).to_contain_text("期待する回答")
        assert found.errors == []
