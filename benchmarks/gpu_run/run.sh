#!/usr/bin/env bash
# bash benchmarks/gpu_run/run.sh STEP[=SECONDS]...: steps of a first run on a GPU, one after the other; README.md has them.
set -uo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
out=${OUT:-build/gpu}
export PYTHONPATH=$PWD${PYTHONPATH:+:$PYTHONPATH} PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1
export CUPY_CACHE_DIR=${CUPY_CACHE_DIR:-${TMPDIR:-/tmp}/gpuval-cupy}         # kernels are compiled once for all steps
export XLA_PYTHON_CLIENT_PREALLOCATE=false XLA_FLAGS=--xla_gpu_autotune_level=0  # no memory ahead; compiles faster
export TF_CPP_MIN_LOG_LEVEL=2

in_python() {  # SECONDS NAME OF THE FILES, ARGUMENTS: what is printed goes into a file, too
  local seconds=$1 name=$2
  shift 2
  timeout -k 10 "$seconds" "$python" -m "$@" 2>&1 | tee "$out/$name.log"
}

in_pytest() {  # SECONDS NAME OF THE FILES, PROCESSES, ARGUMENTS: of the log only what failed and the last lines
  local seconds=$1 name=$2 processes=$3 plugins=()
  shift 3
  "$python" -c "import xdist" 2>/dev/null && plugins+=(-n "$processes" --dist worksteal)
  "$python" -c "import pytest_timeout" 2>/dev/null && plugins+=(--timeout=120)
  timeout -s INT -k 20 "$seconds" "$python" -m pytest -m gpu -q --tb=short -p no:cacheprovider -p no:benchmark \
    --continue-on-collection-errors -o junit_family=xunit1 --junitxml="$out/$name.xml" \
    "${plugins[@]}" "$@" >"$out/$name.log" 2>&1
  local status=$?
  grep -E "^(FAILED|ERROR)" "$out/$name.log" | cut -c1-220 | head -n 40
  tail -n 2 "$out/$name.log"
  return "$status"
}

of_measures() {  # SECONDS: what many processes would each compile, one compiles before them; they read it from disk
  local end=$((SECONDS + $1))
  in_python 60 warm benchmarks.gpu_run smoke --only compiling,scores_of_cupy,same_digits,components >/dev/null
  in_pytest "$((end - SECONDS))" measures 14 tests -k "cupy or torch-cuda" --ignore=tests/engines/cuda
}

sanitized() {  # SECONDS TOOL
  timeout -k 10 "$1" compute-sanitizer --tool "$2" --print-limit 5 --error-exitcode 9 \
    "$python" -m benchmarks.gpu_run smoke --small \
    --only limits,tables,furthest,listed,sums_of_tables,expectation,points >"$out/$2.log" 2>&1
  local status=$?
  echo "$2: exit code $status"
  tail -n 14 "$out/$2.log"
  return "$status"
}

counters() {  # SECONDS: what limits five kernels, each at its second launch in a part of timings
  command -v ncu >/dev/null || { echo "ncu is not installed: nothing is measured"; return; }
  local of kernel part status=0 end=$((SECONDS + $1))
  for of in tables:joint_shared tables:joint_cached other_passes:limits sorts:list_cells beside_others:cluster_means; do
    part=${of%:*} kernel=${of#*:}
    timeout -k 10 "$((end > SECONDS ? end - SECONDS : 1))" ncu --kernel-name "$kernel" --launch-skip 1 --launch-count 1 \
      --kill yes --section SpeedOfLight --section Occupancy --section WarpStateStats \
      "$python" -m benchmarks.gpu_run timings --only "$part" || status=$?
  done >"$out/counters.log" 2>&1
  grep -E "^ +(gpuval::|[a-z_]+<)|Throughput|Achieved Occupancy|No Eligible" "$out/counters.log"
  return "$status"
}

declare -A limits=(
  [smoke]=160 [kernels]=60 [timings]=90 [tune]=60 [measures]=140 [memcheck]=80 [bench]=240
  [jax]=240 [racecheck]=240 [initcheck]=80 [counters]=90
)

run_step() {  # NAME SECONDS
  local seconds=$2
  case $1 in
    smoke)
      command -v nvidia-smi >/dev/null &&
        nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv | tee "$out/machine.csv"
      in_python "$seconds" smoke benchmarks.gpu_run smoke --json "$out/smoke.json" ;;
    kernels) in_pytest "$seconds" kernels 4 tests/engines/cuda/test_gpu.py ;;
    timings) in_python "$seconds" timings benchmarks.gpu_run timings --seconds "$((seconds - 20))" --json "$out/timings.json" ;;
    tune) in_python "$seconds" tune benchmarks.gpu_run tune --seconds "$((seconds - 20))" --json "$out/tune.json" ;;
    measures) of_measures "$seconds" ;;
    memcheck | racecheck | initcheck) sanitized "$seconds" "$1" ;;
    bench) in_python "$seconds" benchmarks benchmarks --gpu --json "$out/benchmarks.json" ;;
    jax) in_pytest "$seconds" jax 14 tests -k jax-cuda --ignore=tests/engines/cuda ;;
    counters) counters "$seconds" ;;
  esac
}

for asked in "$@"; do
  [ -n "${limits[${asked%%=*}]:-}" ] || set --
done
if [ $# -eq 0 ]; then
  echo "usage: bash benchmarks/gpu_run/run.sh STEP[=SECONDS]..., STEP is one of: ${!limits[*]}" >&2
  exit 2
fi
mkdir -p "$out"
status=0
for asked in "$@"; do
  name=${asked%%=*} seconds=${asked#*=}
  [ "$seconds" != "$asked" ] || seconds=${limits[$name]}
  begin=$SECONDS
  run_step "$name" "$seconds" || status=$?
  echo "== $name: $((SECONDS - begin)) s"
done
exit "$status"
