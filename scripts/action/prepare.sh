#!/usr/bin/env bash
# Find a Python that rag-gate runs on; prepare.py does the rest.
# Reads: RAG_GATE_PYTHON (the input python: a command or a path; empty = look for one).
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

is_usable() {
  "$1" -I -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

if [[ -n "${RAG_GATE_PYTHON:-}" ]]; then
  if ! is_usable "$RAG_GATE_PYTHON"; then
    echo "::error title=rag-gate::The input 'python' names no Python 3.11, 3.12 or 3.13; give a command or a path" >&2
    exit 1
  fi
  exec "$RAG_GATE_PYTHON" -I -X utf8 "$here/prepare.py"
fi

shopt -s nullglob
# Runners keep ready interpreters in the tool cache even where none is on the path.
kept=("${RUNNER_TOOL_CACHE:-/nonexistent}"/Python/3.1[321].*/*/{bin/python3,python.exe})
for candidate in python3 python python3.13 python3.12 python3.11 ${kept[@]+"${kept[@]}"}; do
  if is_usable "$candidate"; then
    exec "$candidate" -I -X utf8 "$here/prepare.py"
  fi
done
echo "::error title=rag-gate::No Python 3.11, 3.12 or 3.13 found; add a step with actions/setup-python before this one, or name one with the input 'python'" >&2
exit 1
