#!/usr/bin/env bash
# move_major_tag.sh vX.Y.Z: let the plain tag vX point where vX.Y.Z does, unless a newer release of vX is there.
set -euo pipefail

tag=$1
if [[ ! "$tag" =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "::error title=Release::'$tag' is no tag like v1.2.3" >&2
  exit 2
fi
major=${tag%%.*}
export GIT_TERMINAL_PROMPT=0
# shellcheck disable=SC2016 # expanded by git's own shell, when it asks
remote=(git -c credential.helper= -c credential.helper='!f() { echo username=x-access-token; echo "password=$GITHUB_TOKEN"; }; f')

newest=$("${remote[@]}" ls-remote --tags --refs origin "refs/tags/$major.*" |
  sed -n 's|.*refs/tags/\(v[0-9]*\.[0-9]*\.[0-9]*\)$|\1|p' | sort --version-sort | tail -n 1)
if [[ "$newest" != "$tag" ]]; then
  echo "$major stays where it is: $newest is newer than $tag"
  exit 0
fi
git tag --force "$major" "$tag^{commit}"
"${remote[@]}" push --force origin "refs/tags/$major"
