#!/usr/bin/env bash
#
# autograde.sh - grade a lab's submissions with nbgrader; each student's code runs in a sandbox.
#
# USAGE: ./autograde.sh LAB [--student NAME] [--trust] [OPTION of nbgrader autograde ...]
#
#   LAB       such as 01_hand_over; submissions are in submitted/NAME/LAB/
#   --trust   no sandbox: students' code can do all that you can
#
# nbgrader itself, the gradebook and other submissions stay outside. The kernel that runs a notebook sees the
# system read-only, the submission's run.zip, and a folder in memory; no network. Needs bubblewrap (Debian:
# apt-get install bubblewrap) and requirements-teaching.lock (TEACHING.md). HANDOFF_ROOT names the package if
# this folder was copied out of it.

set -euo pipefail
course=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=${HANDOFF_ROOT:-$(readlink -f "$course/../..")}
python=${HANDOFF_PYTHON:-$root/.venv/bin/python}
SECONDS_PER_STUDENT=1800
MEMORY_KIB=8388608 FILE_KIB=65536 PROCESSES=512 FOLDER_BYTES=268435456

die() { printf '%s\n' "$1" >&2; exit 2; }

# Jupyter starts this in place of a kernel, in the folder autograded/NAME/LAB.
run_kernel() {
  local shared=$HANDOFF_SOCKETS home=/tmp/${PWD##*/} words=(--die-with-parent --new-session --unshare-ipc --unshare-pid --unshare-net --unshare-uts)
  local enter=(bash -c "ulimit -v $MEMORY_KIB -f $FILE_KIB -u $PROCESSES; exec \"\$@\"" kernel) path parent
  if [[ $(id -u) == 0 ]]; then
    # Of root no number of processes is limited: the kernel is another user, who must read the connection's file.
    chmod 644 "$1"; chmod 1777 "$shared"
    words+=(--cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP)
    enter=(setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "${enter[@]}")
  else
    words+=(--unshare-user)
  fi
  words+=(--ro-bind / / --proc /proc --dev /dev --remount-ro /dev)
  for path in "$HOME" /run /var/tmp /dev/shm; do
    if [[ -d $path && $path != / ]]; then words+=(--perms 1777 --size 67108864 --tmpfs "$(readlink -f "$path")"); fi
  done
  words+=(--perms 1777 --size "$FOLDER_BYTES" --tmpfs /tmp)
  while read -r path; do
    while read -r parent; do words+=(--perms 0755 --dir "$parent"); done < <(list_parents "$path")
    words+=(--ro-bind "$path" "$path")
  done < <(list_readable)
  words+=(--size 1048576 --tmpfs "$course" --bind "$shared" "$shared" --ro-bind "$1" "$1")
  words+=(--perms 1777 --dir "$home" --chdir "$home" --clearenv)
  if [[ -f run.zip ]]; then words+=(--ro-bind "$PWD/run.zip" "$home/run.zip"); fi
  for path in PATH LANG JAVA_HOME HANDOFF_SEED NBGRADER_EXECUTION; do
    if [[ -n ${!path:-} ]]; then words+=(--setenv "$path" "${!path}"); fi
  done
  # A thread per core of a large machine would reserve more memory than a process may.
  words+=(--setenv HOME /tmp --setenv PYTHONPATH "$root/notebooks" --setenv OPENBLAS_NUM_THREADS 1)
  exec bwrap "${words[@]}" "${enter[@]}" "$python" -m ipykernel_launcher -f "$@"
}

# The package, Python and Java, which a home or /tmp would hide.
list_readable() {
  printf '%s\n' "$root"
  "$python" -c 'import sys; print(sys.prefix, sys.base_prefix, sep="\n")'
  if command -v java >/dev/null; then dirname "$(dirname "$(readlink -f "$(command -v java)")")"; fi
  if [[ -n ${JAVA_HOME:-} ]]; then readlink -f "$JAVA_HOME"; fi
}

list_parents() {
  local parent=${1%/*}
  if [[ $parent ]]; then list_parents "$parent"; printf '%s\n' "$parent"; fi
}

# A folder in memory, of limited size, that nbgrader and one kernel share: their sockets are in it.
grade_student() {
  local shared words=(--die-with-parent --dev-bind / /)
  if [[ $trust ]]; then timeout "$SECONDS_PER_STUDENT" "${nbgrader[@]}" --student "$1" "${options[@]}"; return; fi
  if [[ $(id -u) == 0 ]]; then words+=(--cap-add ALL); fi
  shared=$(mktemp -d /tmp/handoff.XXXXXX)
  HANDOFF_SOCKETS=$shared timeout "$SECONDS_PER_STUDENT" bwrap "${words[@]}" --size 16777216 --tmpfs "$shared" \
    "${nbgrader[@]}" --KernelManager.transport=ipc --KernelManager.ip="$shared/kernel" --student "$1" "${options[@]}" || { rmdir "$shared"; return 1; }
  rmdir "$shared"
}

if [[ ${1:-} == --kernel ]]; then shift; run_kernel "$@"; fi

lab=${1:-} trust='' student='*' options=()
if [[ -z $lab || $lab == -h || $lab == --help ]]; then sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0; fi
shift
while [[ $# -gt 0 ]]; do
  case $1 in
    --trust) trust=yes ;;
    --student) student=${2:?--student needs a name}; shift ;;
    --student=*) student=${1#*=} ;;
    *) options+=("$1") ;;
  esac
  shift
done
cd "$course"
[[ -d source/$lab ]] || die "$lab is not a lab: choose from $(cd source && printf '%s ' */)."
folders=()
# Names may hold spaces.
IFS=
for folder in submitted/$student/$lab; do if [[ -d $folder ]]; then folders+=("$folder"); fi; done
unset IFS
[[ ${#folders[@]} -gt 0 ]] || die "submitted/$student/$lab: no submission was found; nbgrader zip_collect $lab puts an LMS's download there."
"$python" -c 'import nbgrader' 2>/dev/null || die "nbgrader is not installed: $python -m pip install --require-hashes -r requirements-teaching.lock"
if [[ -z $trust ]]; then
  command -v bwrap >/dev/null || die 'Students'"'"' code needs a sandbox: install bubblewrap (Debian: apt-get install bubblewrap), run this in Docker or Podman with --trust (TEACHING.md), or trust the code with --trust.'
  words=$(bwrap --unshare-user-try --unshare-pid --unshare-net --ro-bind / / --proc /proc --dev /dev true 2>&1) ||
    die "bubblewrap cannot make a sandbox here ($words): see TEACHING.md, or trust the code with --trust."
fi

# What the sandbox may not write: runs unpacked, and the jar, which three labs need.
"$root/run_all.sh" runs >/dev/null
case $lab in 05_*|06_*|09_*) "$root/run_all.sh" smoke build >/dev/null ;; esac

# The seed of hidden cases, which stays with the teacher.
if [[ -z ${HANDOFF_SEED:-} ]]; then
  [[ -s seed.txt ]] || (umask 077; head -c 24 /dev/urandom | base64 > seed.txt)
  HANDOFF_SEED=$(<seed.txt)
fi
export HANDOFF_SEED PYTHONPATH=$root/notebooks PATH=${python%/*}:$PATH
if ! "$python" -m nbgrader db assignment list 2>/dev/null | grep -q "$lab"; then
  "$python" -m nbgrader generate_assignment "$lab" --create --force >/dev/null 2>&1 || die "nbgrader generate_assignment $lab failed: run it here, and read its words."
fi

nbgrader=("$python" -m nbgrader autograde "$lab" --create)
kernels=$(mktemp -d)
trap 'rm -rf "$kernels"' EXIT
if [[ -z $trust ]]; then
  mkdir -p "$kernels/kernels/python3"
  printf '{"argv": ["%s", "--kernel", "{connection_file}"], "display_name": "Python 3", "language": "python", "interrupt_mode": "message"}' \
    "$course/autograde.sh" > "$kernels/kernels/python3/kernel.json"
  export JUPYTER_PATH=$kernels
fi
failed=() done=0 start=$SECONDS
for folder in "${folders[@]}"; do
  name=${folder#submitted/} name=${name%%/*}
  grade_student "$name" > "$kernels/said" 2>&1 || { failed+=("$name"); tail -n 5 "$kernels/said" >&2; }
  done=$((done + 1))
  printf '%d of %d: %s, %d s left\n' "$done" "${#folders[@]}" "$name" $(((SECONDS - start) * (${#folders[@]} - done) / done))
done
[[ ${#failed[@]} == 0 ]] || { printf 'Not graded: %s\n' "${failed[*]}" >&2; exit 1; }
