"""Open the pull request of a promotion: ``open_pull_request.py BRANCH FILE`` (FILE: what changes, one a line)."""

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

_LONGEST = 60_000
_FENCE = "~~~~~~~~~~"
_ALREADY_THERE = 422


def main(branch: str, changes: Path) -> int:
    """Open it, say where, and return the exit code."""
    body = {
        "title": f"Promote the baseline measured by run {os.environ['RUN_ID']}",
        "head": branch,
        "base": os.environ["BASE"],
        "body": description(os.environ["REASON"], changes.read_text(encoding="utf-8"), run_address()),
    }
    address = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/pulls"
    request = urllib.request.Request(  # noqa: S310 - the address is the runner's own
        address,
        json.dumps(body).encode(),
        {
            "accept": "application/vnd.github+json",
            "authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "content-type": "application/json",
            "x-github-api-version": "2022-11-28",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - likewise
            sys.stdout.write(f"Opened {json.load(answer)['html_url']}\n")
    except urllib.error.HTTPError as error:
        said = error.read(2_000).decode("utf-8", "replace")
        if error.code == _ALREADY_THERE and "already exists" in said:
            sys.stdout.write("The pull request of this run is open already; its branch is updated\n")
            return 0
        sys.stderr.write(
            f"::error title=rag-gate::The branch {branch} is pushed, but the pull request could not be opened (status {error.code}). "
            "Allow it under Settings, Actions, General, or open it by hand\n"
        )
        return 1
    return 0


def run_address() -> str:
    """Return the page of the run that was measured."""
    return f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}/actions/runs/{os.environ['RUN_ID']}"


def description(reason: str, changes: str, address: str) -> str:
    """Return the text of the pull request; what others wrote stands in a block that it cannot end."""
    block = f"{changes.strip()}\n\nReason: {reason}"[:_LONGEST].replace("~~~", "~ ~ ~")
    return (
        f"The results of [this run]({address}) become the baseline. Merging this is the decision.\n\n"
        f"{_FENCE}text\n{block}\n{_FENCE}\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
