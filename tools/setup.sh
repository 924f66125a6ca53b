#!/usr/bin/env bash
# Makes .venv with the locked packages: finds a Python, gets uv where there is none, syncs. Silent when all is there.
# `tools/setup.sh uv` gets uv alone, and prints the command to call it by.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/.."

stamp=.venv/.synced
if [[ $# == 0 && $stamp -nt pyproject.toml && $stamp -nt uv.lock && -x .venv/bin/python ]]; then
  exit 0
fi

# Prints the path of the first Python that is new enough, or says what was found instead.
find_python() {
  local name version found=""
  for name in .venv/bin/python python3 python3.14 python3.13 python3.12 python3.11; do
    version="$("$name" -c 'import platform; print(platform.python_version())' 2>/dev/null)" || continue
    if [[ $version =~ ^3\.([0-9]+) ]] && ((BASH_REMATCH[1] >= 11)); then
      command -v "$name"
      return
    fi
    found+="${found:+, }$name is Python $version"
  done
  echo "setup: Python 3.11 or newer is needed, and it is not on PATH (found: ${found:-nothing})." >&2
  echo "setup: install one (https://www.python.org/downloads/) as python3, or as python3.11 to python3.14." >&2
  return 1
}

# Prints the command to call uv by, which is installed into .local/uv where PATH has none or an old one.
find_uv() {
  if [[ "$(uv --version 2>/dev/null)" =~ ^uv\ ([0-9]+)\.([0-9]+) ]] &&
    ((BASH_REMATCH[1] > 0 || BASH_REMATCH[2] >= 9)); then
    echo uv
    return
  fi
  if [[ ! -x .local/uv/bin/uv ]]; then
    echo "setup: no uv >= 0.9 on PATH; installing it into .local/uv" >&2
    "$1" -m venv --clear .local/uv >&2 || return
    .local/uv/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1' >&2 || return
  fi
  echo .local/uv/bin/uv
}

python="$(find_python)"
uv="$(find_uv "$python")"
if [[ ${1:-} == uv ]]; then
  echo "$uv"
  exit
fi
echo "setup: installing the locked packages into .venv with $python" >&2
unset VIRTUAL_ENV
UV_PYTHON_DOWNLOADS=never UV_PROJECT_ENVIRONMENT=.venv "$uv" sync --locked --python "$python"
touch "$stamp"
