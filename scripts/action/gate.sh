#!/usr/bin/env bash
# Evaluate, decide, comment: `rag-gate ci`. It leaves the verdict in the outputs; the last step of the
# action ends with it, after the artifact is uploaded.
# Reads: RAG_GATE_PYTHON (made by prepare.py), RAG_GATE_* (the inputs).
set -uo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

"$RAG_GATE_PYTHON" -I -X utf8 "$here/gate.py" ci
code=$?
if ((code != 0)); then
  echo "::error title=rag-gate::rag-gate ended early (exit code $code), so there is no verdict; the lines above say why" >&2
  # The last value counts: whatever was written before the crash is no verdict.
  printf 'status=error\npassed=false\nexit-code=3\n' >>"$GITHUB_OUTPUT"
fi
