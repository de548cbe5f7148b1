#!/usr/bin/env bash
# check_tag.sh vX.Y.Z: refuse a tag that the package and the changelog do not know.
set -euo pipefail

tag=$1
version=${tag#v}
if ! grep -qxF "version = \"$version\"" pyproject.toml; then
  echo "::error title=Release::pyproject.toml does not have the version $version of the tag $tag" >&2
  exit 1
fi
if ! grep -qF "## [$version]" CHANGELOG.md; then
  echo "::error title=Release::CHANGELOG.md has no part '## [$version]'" >&2
  exit 1
fi
