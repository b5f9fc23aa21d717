"""Which columns a pattern takes for clusterings, and which for counts or numbers of samples."""

import numpy as np
import pandas as pd
import pytest

from gpuval.inputs.columns import why_measured

RANDOM = np.random.default_rng(0)
LABELS = {
    "codes from 0": RANDOM.permutation(700) % 30,
    "codes from 1": RANDOM.permutation(700) % 30 + 1,
    "codes and noise": RANDOM.permutation(700) % 31 - 1,
    "codes as floats": RANDOM.permutation(700) % 30 * 1.0,
    "codes of which every other occurs": RANDOM.permutation(700) % 30 * 2,
    "many clusters": RANDOM.permutation(100_000) % 1000,
    "a small file": [0, 0, 1, 1, 2, 2, 3, 5],
    "each sample by itself": np.arange(20),
    "few large numbers": RANDOM.permutation(700) % 20 * 1000 + 7,
    "categories of counts": pd.Categorical(RANDOM.permutation(700) % 300 + 200),
    "text": list("abcdefghijklmnopqrstuvwxyz"),
    "text of numbers": [f"{x}" for x in range(200, 300)],
    "booleans": RANDOM.permutation(700) % 2 == 0,
    "nullable codes": pd.array([None, *(RANDOM.permutation(700) % 30)], dtype="Int64"),
}
COUNTS = {
    "n_genes": (RANDOM.permutation(700) % 347 + 212, (347, 212, 558)),
    "n_counts as floats": (RANDOM.permutation(700) % 300 * 3.0 + 500, (300, 500, 1397)),
    "with gaps": (RANDOM.permutation(700) % 50 * 5, (50, 0, 245)),
    "nullable counts": (pd.array([None, *range(100, 150)], dtype="Int64"), (50, 100, 149)),
    "numbers of the samples": (np.arange(700), (700, 0, 699)),
    "twenty-one": (np.arange(21) * 10, (21, 0, 200)),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels(name):
    assert why_measured(pd.Series(LABELS[name])) is None


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name):
    values, (number, first, last) = COUNTS[name]
    assert why_measured(pd.Series(values)) == (
        f"looks like counts or numbers of samples, as it has {number} different whole numbers from {first} to {last}; "
        "give its full name to take them for labels"
    )


@pytest.mark.parametrize("values", [np.linspace(0, 1, 99), np.full(99, np.nan), [*range(100, 150), np.inf]])
def test_what_is_no_label_is_told_elsewhere(values):
    assert why_measured(pd.Series(values)) is None
