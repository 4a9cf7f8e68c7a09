#!/usr/bin/env bash
#
# run_all.sh - from a clone to figures, verdicts and a paper, in one command.
#
# USAGE: ./run_all.sh [PROFILE] [STAGE ...] [OPTION ...]
#        ./run_all.sh test [static | machine | other] [--deep]
#        ./run_all.sh extend RUN [FILE.yml] [--set NAME=VALUES] [--dry-run]
#        ./run_all.sh trace ID | compare BEFORE AFTER [--margin PERCENT] [--all] | archive RUN | runs
#        ./run_all.sh lab [N [STEP]] | cluster FILE.yml [PROFILE] | describe | verdicts
#
#   PROFILE  quick        (default) the paper's study on this machine: minutes
#            full         adds the other sources to the run of quick
#            smoke        tests the whole pipeline on any machine, says nothing about it: 2 minutes
#            reference    redraws the shipped run; measures nothing, needs no Java
#            paper        the published sizes: hours, on a quiet machine with 12 free cores
#            ladder, decisions    which decision between a queue and the Disruptor saves how much
#            jdks         the paper on two JDKs, in the same blocks
#            load, sensitivity, warmup, latency, cliff, ring, actors, hops, contenders    more questions
#            FILE.yml     a sweep of your own; or the NAME of a run, or latest, to redraw it
#   STAGE    build | measure | tidy | figures | paper | html    (default: all, in this order)
#   OPTION   --data DIR                  keep the runs in DIR
#            --only WHAT, --set NAME=VALUES    narrow or change the sweep: --only consumers=1..3 --set shots=3
#            --class MyHandoff.java      measure a class of your own as the mechanism YOURS
#            --dry-run                   report points, forks and expected time; --points lists all, in order;
#                                        --machine 2x6 plans for a machine that you do not have
#            --wait                      queue while another runner is active on this machine
#            --sessions 3, --session    judge once, after three sessions; measure one more, six hours later
#            --strict, --retry-failed    refuse an unready machine; retry forks that have failed twice
#            --budget TIME               after the first fork, start none that would not end within 90s, 15m, 2h
#            --json                      make the last line one JSON object
#   extend   add points and forks to an existing run: these, and what they are compared with, are measured
#   test     every check of this checkout, or one part of them; --deep adds the slow ones
#   trace    list the fork files behind a figure's or verdict's id
#   compare  what changed between two runs of a machine (exit 4: slower, 6: not judged), or two machines side by side
#   runs     list the runs: about, machine, date, points, forks, verdicts
#   archive  write a run as one file, data/runs/RUN.zip, which is read like its folder
#   describe write the generated files again: data/studies.json, the schemas in data/, data/columns.md; record the claims' tests
#   verdicts write docs/verdicts.md, docs/machines.md, README's results and pictures, from the shipped runs
#   lab      a teaching lab, 1 to 9, in your own copy of its notebook; without a number only JupyterLab; teachers:
#            notebooks/labs/TEACHING.md
#   cluster  measure a sweep on the nodes of a cluster: cluster FILE.yml [PROFILE] ... (docs/cluster.md)
#   Each of these comes first, and has its own --help.
#
# Needs Python 3.11 or newer; measuring needs a JDK of version 17 or newer and Maven. On the first call it
# makes .venv from requirements.lock, or uses an active conda environment made from environment.yml. As root
# on Debian it installs what is missing, and says so. JAVA_HOME chooses among several JDKs.
#
# EXIT CODES: 0 complete, 1 our failure, 2 input or set-up, 3 finished with missing forks, also those left by --budget,
#             4 slower (compare), 5 another runner is active on this machine, 6 something could not be judged (compare),
#             129/130/143 interrupted

# `sh run_all.sh` starts a shell that may not be bash.
if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi
if [[ ${BASH_SOURCE[0]} != "$0" ]]; then echo 'run_all.sh is a program: run it, do not source it.' >&2; return 2; fi

set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# What the user's shell sets for another Python would change this one, or keep it from starting.
unset "${!PYTHON@}"
export PYTHONNOUSERSITE=1

die() { printf '%s\n' "$1" >&2; exit 2; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if new_enough "$candidate"; then printf '%s' "$candidate"; return; fi
  done
  die 'Python 3.11 or newer was not found: install it (Debian 12: apt-get install python3 python3-venv).'
}

# Debian keeps what venv needs in a package of its own.
make_venv() {
  local python owner
  if [[ -e $here/.venv && ! -O $here/.venv ]]; then
    owner=$(stat -L -c %U "$here/.venv")
    die "$here/.venv belongs to the user $owner and is never cleared by another: run this as $owner, or remove it."
  fi
  if [[ ! -w $here ]]; then die "$here is not writable: .venv is made in the checkout, once, by a user who may write there."; fi
  python=$(find_python)
  if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
      die "$python cannot make a virtual environment: install its venv package (Debian: apt-get install python3-venv)."
    fi
    printf 'Installing the Debian package python3-venv ...\n'
    { apt-get update && apt-get install -y --no-install-recommends python3-venv; } >/dev/null 2>&1 ||
      die 'The Debian package python3-venv could not be installed.'
  fi
  "$python" -m venv --clear "$here/.venv"
}

# Of pip's configuration, only the network counts: where packages are, and the way there.
list_network_options() {
  "$python" -m pip config list 2>/dev/null | "$python" -c '
import ast, re, sys
for line in sys.stdin:
    known = re.fullmatch(r"[^.]+\.((?:extra-)?index-url|no-index|find-links|trusted-host|proxy|(?:client-)?cert|(?:default-)?timeout|retries)=(.*)", line.strip())
    for value in ast.literal_eval(known[2]).split() if known else []:
        if known[1] != "no-index":
            print(f"--{known[1]}={value}")
        elif value.lower() in ("1", "true", "yes", "on"):
            print("--no-index")'
}

# The stamp is written last: an interrupted installation is taken up again.
set_up() {
  local stamp=$here/.venv/installed.lock network pip
  if "$python" -c '' 2>/dev/null && cmp -s "$here/requirements.lock" "$stamp"; then return; fi
  printf 'Setting up .venv from requirements.lock (once, a minute or two) ...\n'
  "$python" -m pip --version >/dev/null 2>&1 || make_venv
  mapfile -t network < <(list_network_options)
  pip=("$python" -m pip --isolated install --quiet --disable-pip-version-check "${network[@]}")
  { "${pip[@]}" --require-hashes -r "$here/requirements.lock" &&
    "${pip[@]}" --no-deps --no-build-isolation --editable "$here"; } ||
    die 'The Python packages of requirements.lock could not be installed: see the lines above.'
  cp "$here/requirements.lock" "$stamp"
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
if [[ -n ${CONDA_PREFIX:-} && ${CONDA_DEFAULT_ENV:-} == handoff ]]; then
  python=$CONDA_PREFIX/bin/python
  packages='from importlib.util import find_spec as find; import sys; sys.exit(not all(map(find, ("papermill", "ruptures", "typst"))))'
  if ! new_enough "$python" || ! "$python" -c "$packages"; then
    die "The conda environment handoff ($CONDA_PREFIX) was not made from environment.yml: run conda deactivate, and either ./run_all.sh without conda, or conda env remove -n handoff and conda env create -f environment.yml."
  fi
else
  python=$here/.venv/bin/python
  set_up
fi
PYTHONPATH=$here/notebooks exec "$python" -m handoff "$@"
