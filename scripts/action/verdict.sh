#!/usr/bin/env bash
# End the action with the verdict, when all else is done. No verdict is no pass.
# Reads: EXIT_CODE (output of gate.sh).
set -euo pipefail

# 256 would end a shell with 0.
if [[ ! "${EXIT_CODE:-}" =~ ^[0-4]$ ]]; then
  echo "::error title=rag-gate::No verdict was reached; the steps above say why" >&2
  exit 3
fi
exit "$EXIT_CODE"
