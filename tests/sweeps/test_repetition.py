"""Repeated clusterings: which rows are drawn, what a clusterer gets, and what happens when it fails."""

import re
import sys
import types

import numpy as np
import pytest
from packages import pd, pl
from scipy import sparse

import gpuval

N = 40
X = np.arange(N, dtype=float)[:, None] + [0, 100]
"""Samples whose first feature is their row."""


def fit(X, width):
    """Clusters of neighbouring rows."""
    return (np.asarray(X)[:, 0] // width).astype(int)


def repeat(fit=fit, X=X, settings=(5, 10), **options):
    return gpuval.repeat_clustering(fit, X, settings, **{"n_runs": 4, "random_state": 0, **options})


class Calls:
    """A clusterer that notes what it gets, and fails at some call."""

    def __init__(self, fails_at=None, error=KeyboardInterrupt):
        self.rows, self.seeds, self.fails_at, self.error = {}, {}, fails_at, error

    def __call__(self, X, width, seed):
        if len(self.rows) == self.fails_at:
            self.fails_at = None
            raise self.error("too few")
        self.rows.setdefault(width, []).append(np.asarray(X)[:, 0].astype(int).tolist())
        self.seeds.setdefault(width, []).append(seed)
        return fit(X, width)


# Which rows are drawn.


@pytest.mark.parametrize("resampling", ["subsample", "bootstrap", "seeds", "halves"])
def test_runs_have_the_same_rows_and_seeds_in_all_settings(resampling):
    calls = Calls()
    runs = repeat(calls, resampling=resampling)
    assert calls.rows[5] == calls.rows[10]
    assert calls.seeds[5] == calls.seeds[10]
    assert len(set(calls.seeds[5])) == 5
    assert calls.rows[5][-1] == list(range(N))  # the call of all samples
    drawn = [list(range(N)) if rows is None else rows.tolist() for rows in runs.rows]
    assert calls.rows[5][:-1] == drawn


def test_how_many_rows_are_drawn():
    assert [len(rows) for rows in repeat(share=0.3).rows] == [12] * 4
    distinct = [len(rows) for rows in repeat(resampling="bootstrap", n_runs=200).rows]
    assert abs(np.mean(distinct) / N - (1 - (1 - 1 / N) ** N)) < 0.01
    assert repeat(resampling="seeds").rows == (None,) * 4
    a, b, c, d = (set(rows.tolist()) for rows in repeat(resampling="halves").rows)
    assert a | b == c | d == set(range(N))
    assert len(a) == len(b) == len(c) == 20
    assert a != c


def test_draws_are_those_of_the_seed_however_many_there_are():
    few, many, other = repeat(), repeat(n_runs=6), repeat(random_state=1)
    assert all(np.array_equal(x, y) for x, y in zip(few.rows, many.rows, strict=False))
    assert not all(np.array_equal(x, y) for x, y in zip(few.rows, other.rows, strict=True))
    assert repeat(random_state=np.random.default_rng(0)).rows[0].tolist() == few.rows[0].tolist()


@pytest.mark.parametrize("resampling", ["subsample", "bootstrap", "halves"])
def test_whole_groups_are_drawn(resampling):
    donors = np.asarray(list("abcde"))[np.arange(N) % 5]
    for rows in repeat(resampling=resampling, groups=donors).rows:
        names, sizes = np.unique(donors[rows], return_counts=True)
        assert 0 < len(names) < 6
        assert set(sizes) == {8}


def test_noise_is_in_units_of_each_feature():
    moved = []
    wide = X * [1, 1000]
    repeat(lambda X, _: moved.append(X - wide) or [0] * N, wide, [1], resampling="noise", noise=0.1, n_runs=50)
    assert not moved[-1].any()  # of all samples
    assert np.std(moved[:-1], axis=(0, 1)) / wide.std(axis=0) == pytest.approx([0.1, 0.1], rel=0.05)


# What is returned.


def test_labels_stand_at_their_rows_and_others_are_masked():
    runs = repeat()
    assert list(runs) == [(width, run) for run in range(4) for width in (5, 10)]
    for (width, run), labels in runs.items():
        assert isinstance(labels, np.ma.MaskedArray)
        assert labels.dtype == np.int16
        assert np.flatnonzero(~labels.mask).tolist() == runs.rows[run].tolist()
        assert labels.compressed().tolist() == (runs.rows[run] // width).tolist()
    assert runs.full[10].tolist() == [0] * 10 + [1] * 10 + [2] * 10 + [3] * 10
    assert runs.labels_of(5, 2)[1] is runs.rows[2]
    assert (runs.settings, runs.n_runs, runs.n_samples, runs.resampling) == ((5, 10), 4, N, "subsample")


def test_one_setting_of_all_rows_has_nothing_masked():
    runs = repeat(settings=["a"], fit=lambda X, _: [-1, *[70_000] * (N - 1)], resampling="seeds")
    assert not np.ma.getmaskarray(runs["a", 0]).any()
    assert runs["a", 0].tolist() == [-1, *[70_000] * (N - 1)]  # noise stays what it is
    assert runs["a", 0].dtype == np.int32
    assert repr(runs) == "1 setting, 4 runs of each: other seeds of all 40 samples"
    assert "all 40 samples" in runs._repr_html_()


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (["10", "2", "2"], [10, 2, 2]),
        (["b", "a", "b"], [1, 0, 1]),
        (["1", "01", "1"], [1, 0, 1]),
        ([1.0, 2.0, 1.0], [1, 2, 1]),
        ([True, False, True], [1, 0, 1]),
    ],
)
def test_labels_become_integers(names, numbers):
    runs = repeat(lambda X, _: names, X[:3], [1], resampling="seeds")
    assert runs[1, 0].tolist() == numbers


# What a clusterer gets.


def test_arrays_stay_in_their_library(backend):
    samples = backend.array(np.asarray(X, dtype=np.float32))
    kinds = set()

    def fit(X, width):
        kinds.add(type(X))
        return backend.array((backend.numpy(X)[:, 0] // width).astype(np.int64))

    runs = repeat(fit, samples)
    assert kinds == {type(samples)}
    assert runs[10, 0].compressed().tolist() == (runs.rows[0] // 10).tolist()
    repeat(fit, samples, resampling="noise", noise=0.01)
    assert kinds == {type(samples)}


@pytest.mark.parametrize(
    "make",
    [
        lambda: pd.DataFrame(X, index=list(range(N, 0, -1))),
        lambda: pl.DataFrame(X),
        lambda: sparse.coo_array(X),
        lambda: sparse.csc_matrix(X),
    ],
)
def test_frames_and_sparse_matrices(make):
    samples, kinds = make(), set()

    def of_rows(X, width):
        kinds.add(type(X).__name__)
        return fit(X.toarray() if sparse.issparse(X) else X.to_numpy(), width)

    runs = repeat(of_rows, samples)
    assert kinds <= {"DataFrame", "csr_array", "csr_matrix"}
    assert runs[5, 1].compressed().tolist() == (runs.rows[1] // 5).tolist()


def annotated():
    import anndata

    return anndata.AnnData(np.zeros((N, 3)), obsm={"X_pca": X})


def test_anndata_is_copied():
    adata = annotated()

    def write(cells, width):
        cells.obs["label"] = fit(cells.obsm["X_pca"], width)
        return cells.obs["label"]

    assert repeat(write, adata).full[10].tolist() == (np.arange(N) // 10).tolist()
    assert list(adata.obs) == []


@pytest.mark.parametrize(("name", "module"), [("scanpy.leiden", "scanpy"), ("rapids.leiden", "rapids_singlecell")])
def test_leiden_by_name(monkeypatch, name, module):
    options = []

    def neighbors(cells, use_rep, random_state):
        assert use_rep == "X"
        cells.uns["neighbors"] = cells.X[:, 0]

    def leiden(cells, resolution, random_state, key_added, **more):
        options.append(more)
        clusters = (cells.uns["neighbors"] // resolution).astype(int).astype(str)
        cells.obs[key_added] = pd.Categorical(clusters)

    fake = types.ModuleType(module)
    fake.pp, fake.tl = types.SimpleNamespace(neighbors=neighbors), types.SimpleNamespace(leiden=leiden)
    monkeypatch.setitem(sys.modules, module, fake)
    runs = repeat(name, annotated(), [2, 10])
    assert runs[2, 0].compressed().tolist() == (runs.rows[0] // 2).tolist()
    assert options[0].get("flavor") == ("igraph" if module == "scanpy" else None)


def test_leiden_without_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "scanpy", None)
    with pytest.raises(ImportError, match=r"^fit='scanpy.leiden' needs scanpy: pip install scanpy$"):
        repeat("scanpy.leiden", annotated())


def test_estimators_are_cloned():
    from sklearn.cluster import DBSCAN, KMeans
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    estimator = KMeans(n_init=1, random_state=3)
    before = dict(vars(estimator))
    assert repeat(estimator, X, [2, 4])[4, 0].max() == 3
    assert vars(estimator) == before
    assert repeat(DBSCAN(), X, {"eps": [0.5, 2]}).full[0.5].tolist() == [-1] * N
    steps = make_pipeline(StandardScaler(), KMeans(n_init=1))
    assert repeat(steps, X, {"kmeans__n_clusters": [2]}).full[2].max() == 1


def test_an_argument_is_a_seed_by_its_name_or_as_a_third_one_without_a_default():
    found = []
    repeat(lambda X, k, n_init=7, seed=None: found.append((n_init, seed)) or fit(X, k), settings=[5])
    repeat(lambda X, k, *, random_state: found.append((7, random_state)) or fit(X, k), settings=[5])
    repeat(lambda X, k, other: found.append((7, other)) or fit(X, k), settings=[5])
    repeat(lambda *given: found.append((7, given[2])) or fit(*given[:2]), settings=[5])
    assert found == found[:5] * 4
    assert {type(seed) for _, seed in found} == {int}
    assert {n for n, _ in found} == {7}
    repeat(lambda X, k, n_init=8: found.append(n_init) or fit(X, k), settings=[5])
    assert found[20:] == [8] * 5


# Failures, interrupts, and folders.


def test_an_error_names_the_call_and_keeps_its_type():
    with pytest.raises(KeyError) as raised:
        repeat(Calls(fails_at=0, error=KeyError))
    assert raised.value.args == ("run 0, setting 5: too few",)
    error = OSError(2, "no file")
    with pytest.raises(OSError, match="no file") as raised:
        repeat(Calls(fails_at=0, error=lambda _: error))
    assert raised.value.__notes__ == ["This was run 0, setting 5."]


def fails_without_a_row(X, width):
    if width == 10 and 5 not in X[:, 0]:
        raise ValueError("no")
    return fit(X, width)


def test_calls_that_fail_are_skipped():
    with pytest.warns(RuntimeWarning, match=r"of 10 calls of fit failed and are left out .* setting 10: no$"):
        runs = repeat(fails_without_a_row, on_error="skip", share=0.5)
    missing = {run for run in range(4) if 5 not in runs.rows[run]}
    assert set(runs.failures) == {(10, run) for run in missing}
    assert {key for key in runs if key[0] == 10} == {(10, run) for run in range(4)} - set(runs.failures)
    assert all(error.__traceback__ is None for error in runs.failures.values())
    assert f"{len(missing)} calls failed" in repr(runs)


def test_all_calls_fail():
    with pytest.raises(ValueError, match=r"^fit must not fail in all 10 calls, got first ZeroDivisionError: "):
        repeat(lambda X, _: 1 // 0, on_error="skip")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_keeps_what_is_finished(tmp_path, n_jobs):
    with pytest.raises(KeyboardInterrupt):
        repeat(Stops(3), folder=tmp_path / "calls", n_jobs=n_jobs)
    n_done = len(list((tmp_path / "calls").glob("*.npz")))
    assert n_done >= 3
    again = Stops(None)
    runs = repeat(again, folder=tmp_path / "calls")
    assert again.n_calls == 10 - n_done
    assert all(np.array_equal(x, y) for x, y in zip(runs.values(), repeat().values(), strict=True))
    repeat(again, folder=tmp_path / "calls", n_runs=6)  # two more runs
    assert again.n_calls == 14 - n_done
    assert not list(tmp_path.rglob("*.part"))


class Stops:
    """Is interrupted after some calls."""

    def __init__(self, n_left):
        self.n_left, self.n_calls = n_left, 0

    def __call__(self, X, width, seed):
        if self.n_calls == self.n_left:
            raise KeyboardInterrupt
        self.n_calls += 1
        return fit(X, width)


def test_a_folder_knows_its_seed(tmp_path):
    first = repeat(folder=tmp_path, random_state=None)
    again = repeat(folder=tmp_path, random_state=None)
    assert all(np.array_equal(x, y) for x, y in zip(first.rows, again.rows, strict=True))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"share": 0.5}, "share 0.8 there and 0.5 here"),
        ({"settings": [5]}, "settings ['5', '10'] there and ['5'] here"),
        ({"X": X[:30]}, "n_samples 40 there and 30 here"),
        ({"groups": np.arange(N) // 2}, "groups None there and "),
        ({"random_state": 1}, "seed "),
    ],
)
def test_a_folder_of_other_arguments(tmp_path, options, name):
    repeat(folder=tmp_path)
    message = f"folder must be empty or hold calls of the same arguments, got {name}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        repeat(folder=tmp_path, **options)


def test_threads_change_nothing():
    alone, together = repeat(), repeat(n_jobs=-1)
    assert list(alone) == list(together)
    assert all(np.array_equal(x, y) for x, y in zip(alone.values(), together.values(), strict=True))


def test_progress(capsys):
    repeat(progress=True)
    assert "10.0/10.0" in capsys.readouterr().err


WRONG = [
    ({"fit": lambda X, _: [0, 1]}, "fit must return a label for each of the 32 rows, got 2 (run 0, setting 5)"),
    (
        {"fit": lambda X, _: [None] * len(X)},
        "the labels of fit (run 0, setting 5) must not be missing (NaN, None)",
    ),
    ({"fit": lambda X: X}, "fit must take (X, setting, seed) or (X, setting), got (X)"),
    (
        {"fit": 3},
        "fit must be a function, an estimator with fit_predict or one of 'scanpy.leiden',",
    ),
    ({"fit": Calls}, "fit must be a function or an estimator, got the class Calls; give Calls()"),
    ({"fit": "leiden"}, "fit must be one of 'scanpy.leiden', 'rapids.leiden' if it is a name, got 'leiden'"),
    ({"settings": []}, "settings must be one or more values, each once, got []"),
    ({"settings": [1, 1]}, "settings must be one or more values, each once, got [1, 1]"),
    ({"settings": "ab"}, "settings must be a sequence of values, got 'ab'"),
    ({"settings": [[1]]}, "settings must be hashable, such as numbers, strings and tuples, got ([1],)"),
    ({"X": None}, "X must have rows that X[rows] takes, got NoneType"),
    ({"X": X[:1]}, "X must have at least two samples, got 1"),
    ({"n_runs": 1}, "n_runs must be at least 2, got 1"),
    ({"n_runs": 3, "resampling": "halves"}, "n_runs must be even with resampling='halves', got 3"),
    ({"share": 1}, "share must be above 0 and below 1, got 1"),
    ({"resampling": "x"}, "resampling must be one of 'subsample', 'bootstrap', 'seeds', 'noise', 'halves', got 'x'"),
    ({"resampling": "noise"}, "noise must be a share of standard deviations with resampling='noise', got None"),
    ({"noise": 1}, "noise must be None without resampling='noise', got 1"),
    ({"groups": [1] * N}, "groups must have at least two values, got 1"),
    ({"groups": [1, 2]}, "groups must have a value for each of the 40 samples, got 2"),
    ({"groups": [1] * N, "resampling": "seeds"}, "groups must be None with resampling='seeds', which draws no samples"),
    ({"n_jobs": 0}, "n_jobs must be at least 1, got 0"),
    ({"on_error": "x"}, "on_error must be one of 'raise', 'skip', got 'x'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_arguments(options, message):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}"):
        repeat(**options)


def test_wrong_arguments_of_estimators_and_names():
    from sklearn.cluster import DBSCAN

    with pytest.raises(ValueError, match=r"^settings must be of a parameter of DBSCAN, got 'n_clusters'; name one as "):
        repeat(DBSCAN())
    with pytest.raises(ValueError, match=r"^settings must name one parameter of the estimator, got \['a', 'b'\]$"):
        repeat(DBSCAN(), X, {"a": [1], "b": [2]})


def test_columns_of_runs_are_read_again():
    runs = gpuval.repeat_clustering(
        lambda X, k: X[:, 0] // k, np.arange(9.0)[:, None], [2, 3], n_runs=3, random_state=0
    )
    columns = runs.to_pandas("k_{setting}_{run}")
    assert columns["k_3_1"].isna().sum() == 2
    again = gpuval.stability(columns, names="k_{setting}_{run}", random_state=0).to_dict()
    assert again == gpuval.stability(runs, random_state=0).to_dict()


def test_a_subsample_leaves_out_a_group():
    runs = gpuval.repeat_clustering(lambda X, k: X[:, 0] > k, np.eye(8), [0], n_runs=3, groups=[0, 1] * 4)
    assert [len(rows) for rows in runs.rows] == [4, 4, 4]


def test_labels_that_are_wrong_are_skipped_too():
    def fit(X, k):
        return [0] if k == 3 else np.zeros(len(X))

    with pytest.warns(RuntimeWarning, match="fit must return a label for each"):
        runs = gpuval.repeat_clustering(fit, np.zeros((9, 1)), [2, 3], n_runs=2, on_error="skip")
    assert {setting for setting, _ in runs} == {2}
