#!/usr/bin/env bash
# bash benchmarks/gpu_run/run.sh STEP [SECONDS]: a step of a first run on a GPU; README.md has them.
set -uo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
out=${OUT:-build/gpu}
mkdir -p "$out"
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

step=${1:-}
case $step in
  smoke)
    command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv |
      tee "$out/machine.csv"
    in_python "${2:-200}" smoke benchmarks.gpu_run smoke --json "$out/smoke.json" ;;
  timings) in_python "${2:-150}" timings benchmarks.gpu_run timings --json "$out/timings.json" ;;
  kernels) in_pytest "${2:-150}" kernels 4 tests/engines/cuda/test_gpu.py ;;
  measures) in_pytest "${2:-400}" measures 14 tests -k "cupy or torch-cuda" --ignore=tests/engines/cuda ;;
  jax) in_pytest "${2:-460}" jax 14 tests -k jax-cuda --ignore=tests/engines/cuda ;;
  tune) in_python "${2:-280}" tune benchmarks.gpu_run tune --seconds "$((${2:-280} - 20))" --json "$out/tune.json" ;;
  sanitize)
    parts=limits,tables,furthest,listed,sums_of_tables,expectation,points
    status=0
    for tool in memcheck racecheck initcheck; do
      timeout -k 10 "${2:-120}" compute-sanitizer --tool "$tool" --print-limit 5 --error-exitcode 9 \
        "$python" -m benchmarks.gpu_run smoke --small --only "$parts" >"$out/$tool.log" 2>&1
      found=$?
      [ "$found" -eq 0 ] || status=$found
      echo "$tool: exit code $found"
      tail -n 14 "$out/$tool.log"
    done
    (exit "$status") ;;
  bench) in_python "${2:-540}" benchmarks benchmarks --gpu --json "$out/benchmarks.json" ;;
  *) echo "usage: bash benchmarks/gpu_run/run.sh smoke|timings|kernels|measures|jax|tune|sanitize|bench [SECONDS]" >&2; exit 2 ;;
esac
