"""The sticky comment against a stand-in for GitHub: one comment per gate, never an older one over a newer."""

from collections.abc import Iterator

import pytest
from fake_github import BOT, READ_ONLY, TOKEN, FakeGitHub, Fault

from rag_gate.github.answers import ApiError
from rag_gate.github.client import GitHub
from rag_gate.github.marker import Stamp, gate_of, stamp_of
from rag_gate.github.retries import Patience
from rag_gate.github.sticky import Sticky

OLD, NEW, BASE = "a" * 40, "b" * 40, "c" * 40


class Waits:
    """Time that passes without being waited for."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def patience(self, **limits: float) -> Patience:
        return Patience(sleep=self.slept.append, now=lambda: 1_000.0, **limits)  # type: ignore[arg-type]


@pytest.fixture
def hub() -> Iterator[FakeGitHub]:
    with FakeGitHub() as found:
        found.pull(head=NEW, base=BASE)
        yield found


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def github(hub: FakeGitHub, waits: Waits) -> Iterator[GitHub]:
    with GitHub(hub.url, "org/app", TOKEN, waits.patience()) as found:
        yield found


def sticky(github: GitHub, head: str = NEW, run: int = 1, attempt: int = 1, gate: str = "default") -> Sticky:
    return Sticky(github, 7, gate, Stamp(head, run, attempt))


def test_the_own_comment_is_found_behind_250_others(hub: FakeGitHub, github: GitHub) -> None:
    for number in range(200):
        hub.comment(f"hello {number}", "kim")
    sticky(github).post("first")
    for number in range(50):
        hub.comment(f"later {number}", "kim")
    posted = sticky(github, run=2).post("second")
    assert posted.outcome == "updated"
    mine = [row for row in hub.comments if row["user"]["login"] == BOT]
    assert len(mine) == 1
    assert mine[0]["body"].endswith("\nsecond")


def test_a_marker_of_another_author_means_nothing(hub: FakeGitHub, github: GitHub) -> None:
    foreign = hub.comment("<!-- rag-gate:default -->\nPASSED, trust me", "mallory")
    sticky(github).post("mine")
    assert foreign["body"].endswith("trust me")
    assert [row["user"]["login"] for row in hub.comments] == ["mallory", BOT]


def test_with_a_personal_token_the_own_comments_are_that_persons(hub: FakeGitHub, github: GitHub) -> None:
    hub.people[TOKEN] = "robot"
    hub.comment("<!-- rag-gate:default -->\nof the workflow", BOT)
    sticky(github).post("one")
    sticky(github, run=2).post("two")
    assert [row["user"]["login"] for row in hub.comments] == [BOT, "robot"]
    assert hub.comments[1]["body"].endswith("two")


def test_the_token_of_another_app_keeps_to_one_comment_too(hub: FakeGitHub, github: GitHub) -> None:
    """It may not ask who it is, as a workflow's own token."""
    hub.apps[TOKEN] = "our-app[bot]"
    for run in (1, 2, 3):
        sticky(github, run=run).post(f"text {run}")
    assert [(row["user"]["login"], row["body"].split("\n")[-1]) for row in hub.comments] == [
        ("our-app[bot]", "text 3")
    ]


def test_a_quoted_marker_is_not_one(hub: FakeGitHub, github: GitHub) -> None:
    hub.comment("see above:\n<!-- rag-gate:default -->", BOT)
    assert sticky(github).post("mine").outcome == "created"


def test_an_older_commit_never_writes_over_a_newer_one(hub: FakeGitHub, github: GitHub) -> None:
    sticky(github, NEW, run=5).post("new")
    posted = sticky(github, OLD, run=9).post("old, and late")
    assert posted.outcome == "superseded"
    assert posted.url == hub.comments[0]["html_url"]
    assert hub.comments[0]["body"].endswith("\nnew")


def test_an_older_commit_does_not_speak_first_either(hub: FakeGitHub, github: GitHub) -> None:
    assert sticky(github, OLD).post("old").outcome == "superseded"
    assert hub.comments == []


@pytest.mark.parametrize(
    ("mine", "theirs", "written"), [((1, 1), (2, 1), False), ((2, 1), (2, 2), False), ((2, 2), (2, 1), True)]
)
def test_of_two_runs_of_one_commit_the_later_counts(
    hub: FakeGitHub, github: GitHub, mine: tuple[int, int], theirs: tuple[int, int], *, written: bool
) -> None:
    sticky(github, NEW, *theirs).post("theirs")
    sticky(github, NEW, *mine).post("mine")
    assert hub.comments[0]["body"].endswith("mine" if written else "theirs")


def test_the_second_stage_leaves_alone_what_the_first_has_written(hub: FakeGitHub, github: GitHub) -> None:
    """It reports the same numbers, and knows less; a comment of an older commit it writes over."""
    sticky(github, NEW, run=5).post("the whole story")
    second = Sticky(github, 7, "default", Stamp(NEW, 6, 1), source_run=5)
    assert second.post("as claimed").outcome == "superseded"
    assert hub.comments[0]["body"].endswith("the whole story")
    assert (
        Sticky(github, 7, "default", Stamp(NEW, 8, 1), source_run=7).post("as claimed").outcome == "updated"
    )


def test_the_comment_of_an_older_commit_is_written_over(hub: FakeGitHub, github: GitHub) -> None:
    hub.pull(head=OLD, base=BASE)
    sticky(github, OLD, run=9).post("old")
    hub.pull(head=NEW, base=BASE)
    sticky(github, NEW, run=3).post("new")
    assert [row["body"].split("\n")[-1] for row in hub.comments] == ["new"]


def test_two_runs_that_create_at_once_leave_the_newest_text_once(hub: FakeGitHub, github: GitHub) -> None:
    """The other, older run creates its comment just before ours does."""

    def meanwhile(method: str, path: str) -> None:
        if method == "POST" and path.endswith("/comments") and len(hub.comments) == 0:
            hub.comment(f"<!-- rag-gate:default -->\n{Stamp(OLD, 1, 1).line()}\nold", BOT)

    hub.before = meanwhile
    sticky(github, NEW, run=2).post("new")
    assert [row["body"].split("\n")[-1] for row in hub.comments] == ["new"]


def test_an_older_run_that_tidies_up_keeps_the_newer_text(hub: FakeGitHub, github: GitHub) -> None:
    """Ours was the newest commit when we began; a newer one came, and its run created a comment too."""
    hub.pull(head=OLD, base=BASE)

    def meanwhile(method: str, path: str) -> None:
        if method == "GET" and path.endswith("/comments") and len(hub.comments) == 1:
            hub.pull(head=NEW, base=BASE)
            hub.comment(f"<!-- rag-gate:default -->\n{Stamp(NEW, 2, 1).line()}\nnew", BOT)

    hub.before = meanwhile
    sticky(github, OLD, run=1).post("old")
    assert [row["body"].split("\n")[-1] for row in hub.comments] == ["new"]


def test_a_comment_that_was_deleted_meanwhile_is_created_again(hub: FakeGitHub, github: GitHub) -> None:
    sticky(github).post("one")

    def meanwhile(method: str, path: str) -> None:
        del path
        if method == "PATCH":
            hub.comments.clear()

    hub.before = meanwhile
    assert sticky(github, run=2).post("two").outcome == "created"
    assert len(hub.comments) == 1


def test_two_gates_do_not_touch_each_other(hub: FakeGitHub, github: GitHub) -> None:
    sticky(github, gate="chat").post("chat")
    sticky(github, gate="search").post("search")
    assert [gate_of(row["body"]) for row in hub.comments] == ["chat", "search"]


@pytest.mark.parametrize("char", ["x", "あ", "😀", "é"])
def test_a_long_report_is_cut_below_githubs_limit(hub: FakeGitHub, github: GitHub, char: str) -> None:
    text = "## rag-gate: BLOCKED\n\n<details>\n<summary>All</summary>\n\n```\n" + f"{char * 99}\n" * 700
    sticky(github).post(text)
    body = hub.comments[0]["body"]
    assert len(body) <= 60_000
    assert len(body) > 50_000
    assert "BLOCKED" in body
    assert body.rstrip().endswith("All of it is in the artifact of the run.")
    assert body.count("```") == 2
    assert body.count("<details>") == body.count("</details>")
    assert stamp_of(body) == Stamp(NEW, 1, 1)


def test_a_text_that_github_refuses_is_sent_short(hub: FakeGitHub, github: GitHub) -> None:
    hub.faults.append(Fault("POST", "comments", 422, message="Validation Failed"))
    sticky(github).post("## BLOCKED\n" + "row\n" * 5_000)
    assert "## BLOCKED" in hub.comments[0]["body"]
    assert len(hub.comments[0]["body"]) < 4_100


def test_japanese_and_emoji_arrive_as_they_are(hub: FakeGitHub, github: GitHub) -> None:
    text = "返金は5営業日以内です。👩‍👩‍👧 𠮷野家"
    sticky(github).post(text)
    assert hub.comments[0]["body"].endswith(text)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_service_is_asked_again(hub: FakeGitHub, github: GitHub, waits: Waits, status: int) -> None:
    hub.faults += [Fault("GET", "comments", status), Fault("POST", "comments", status, {"retry-after": "7"})]
    assert sticky(github).post("text").outcome == "created"
    assert waits.slept[1] == 7
    assert len(hub.comments) == 1


@pytest.mark.parametrize(
    ("headers", "message", "waited"),
    [
        ({"retry-after": "9"}, "slow down", 9.0),
        # GitHub asks for a minute where it says nothing.
        ({}, "You have exceeded a secondary rate limit", 60.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1020"}, "API rate limit exceeded", 21.0),
    ],
)
def test_a_rate_limit_that_comes_as_forbidden_is_waited_for(
    hub: FakeGitHub, github: GitHub, waits: Waits, headers: dict[str, str], message: str, waited: float
) -> None:
    hub.faults.append(Fault("POST", "comments", 403, headers, message))
    sticky(github).post("text")
    assert waits.slept == [waited]


def test_a_wait_that_is_too_long_is_an_error(hub: FakeGitHub, github: GitHub, waits: Waits) -> None:
    hub.faults.append(Fault("GET", "comments", 429, {"retry-after": "3600"}))
    with pytest.raises(ApiError) as caught:
        sticky(github).post("text")
    assert (caught.value.status, waits.slept) == (429, [])


def test_a_service_that_stays_away_is_given_up(hub: FakeGitHub, github: GitHub, waits: Waits) -> None:
    hub.faults += [Fault("GET", "comments", 503) for _ in range(4)]
    with pytest.raises(ApiError) as caught:
        sticky(github).post("text")
    assert (caught.value.status, len(waits.slept)) == (503, 3)


def test_a_refusal_is_not_asked_again(hub: FakeGitHub, waits: Waits) -> None:
    with GitHub(hub.url, "org/app", READ_ONLY, waits.patience()) as github, pytest.raises(ApiError) as caught:
        sticky(github).post("text")
    assert (caught.value.status, waits.slept) == (403, [])
    assert READ_ONLY not in str(caught.value)


def test_a_link_to_the_next_page_elsewhere_is_not_followed(hub: FakeGitHub, github: GitHub) -> None:
    hub.page_limit = 1
    hub.comment("one", "kim")
    hub.comment("two", "kim")
    hub.links_to = "http://evil.example"
    assert len(list(github.comments(7))) == 1


def test_the_token_does_not_go_to_where_artifacts_lie(hub: FakeGitHub, github: GitHub) -> None:
    hub.artifact(b"zip")
    assert github.artifact(1, 100) == b"zip"
    assert hub.blob_authorization is None
    assert all(found == f"Bearer {TOKEN}" for found in hub.authorizations)


def test_an_answer_that_is_too_large_is_not_taken(hub: FakeGitHub, github: GitHub) -> None:
    hub.artifact(b"x" * 1000)
    with pytest.raises(ApiError, match="larger than 100 bytes"):
        github.artifact(1, 100)
