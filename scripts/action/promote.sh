#!/usr/bin/env bash
# Promote results on a branch of their own and open a pull request with the reason and what changes.
# Reads: RAG_GATE_PYTHON, RESULTS (folder), CONFIG, REASON, ACCEPT_REGRESSION, NEW_ANCHOR, RUN_ID, BASE, GITHUB_TOKEN.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
gate=("$RAG_GATE_PYTHON" -I -X utf8 "$here/gate.py")

if [[ ! "$RUN_ID" =~ ^[0-9]+$ ]]; then
  echo "::error title=rag-gate::run-id: must be a number, found in the address of the run" >&2
  exit 2
fi
found=$(find "$RESULTS" -name results.json -type f -print)
if [[ -z "$found" || "$found" == *$'\n'* ]]; then
  echo "::error title=rag-gate::The artifact of run $RUN_ID must hold one results.json" >&2
  exit 2
fi

options=(--config "$CONFIG" --reason "$REASON" --yes)
if [[ "$ACCEPT_REGRESSION" == true ]]; then options+=(--accept-regression); fi
if [[ "$NEW_ANCHOR" == true ]]; then options+=(--new-anchor); fi
changes=$(mktemp)
# What promote tells of the changes becomes the text of the pull request; untrusted parts are made safe there.
"${gate[@]}" promote "$found" "${options[@]}" 2> >(tee "$changes" >&2)

# Our own checkout does not belong to the pull request.
excluded=$(git rev-parse --git-path info/exclude)
mkdir -p "$(dirname -- "$excluded")"
echo /.rag-gate-action/ >>"$excluded"
if [[ -z "$(git status --porcelain)" ]]; then
  echo "Nothing changes: these results are the baseline already"
  exit 0
fi
branch="rag-gate/promote-$RUN_ID"
git switch --quiet --create "$branch"
git add --all
git -c user.name="github-actions[bot]" -c user.email="41898282+github-actions[bot]@users.noreply.github.com" \
  commit --quiet --message "Promote the baseline measured by run $RUN_ID" --message "$REASON"
# The token goes in through the environment, not through an address that a log could show.
export GIT_TERMINAL_PROMPT=0
# shellcheck disable=SC2016 # expanded by git's own shell, when it asks
git -c credential.helper= -c credential.helper='!f() { echo username=x-access-token; echo "password=$GITHUB_TOKEN"; }; f' \
  push --quiet --force origin "HEAD:refs/heads/$branch"
"$RAG_GATE_PYTHON" -I -X utf8 "$here/open_pull_request.py" "$branch" "$changes"
