"""``python -m benchmarks.inference``, and a table: coverage, groups, type-one, many, best or speed."""

from __future__ import annotations

import argparse

from benchmarks.inference import coverage, speed, type_one


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=["coverage", "groups", "type-one", "many", "best", "speed"])
    parser.add_argument("--data-sets", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smoke", action="store_true", help="few data sets, few samples")
    given = parser.parse_args()
    n_data_sets = 5 if given.smoke else given.data_sets
    if given.table == "speed":
        print(speed.HEAD)
        for line in speed.rows(*((1000, 5, 1) if given.smoke else (1_000_000, 100, given.rounds))):
            print(line, flush=True)
        own, other = speed.scipy_agrees()
        print(f"\nStandard error of ARI, 60 samples, all pairs, 2000 resamples: {own:.4f}; SciPy's: {other:.4f}")
        return
    head, rows = {
        "coverage": (coverage.HEAD, coverage.rows),
        "groups": (coverage.HEAD, coverage.rows_of_groups),
        "type-one": (type_one.HEAD, type_one.rows),
        "many": (type_one.HEAD_OF_MANY, type_one.rows_of_many),
        "best": (type_one.HEAD_OF_BEST, type_one.rows_of_best),
    }[given.table]
    print(head)
    for row in rows(n_data_sets):
        print(row, flush=True)


if __name__ == "__main__":
    main()
