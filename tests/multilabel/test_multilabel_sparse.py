"""Label sets and sparse matrices: scores by definition on every library, as of matrices, in little memory."""

from __future__ import annotations

import tracemalloc
from enum import StrEnum

import multilabel_oracles as oracles
import numpy as np
import pytest
import torch
from backends import as_on_a_device
from multilabel_cases import AVERAGES, MATRICES, MEASURES, OF_LABELS, WEIGHTS, exact, floats, given
from only_for import only_for
from packages import pd, pl
from scipy import sparse

from gpuval import multilabel
from gpuval.multilabel import LabelCounts, MultilabelAccumulator

HAVE_SPARSE = ("numpy", "torch", "jax", "cupy")


def has_sparse(backend):
    return backend.name.startswith(HAVE_SPARSE)


def sparse_of(backend, matrix):
    """A sparse matrix of the library of a backend, of a dense one of that library."""
    if backend.name == "numpy":
        return sparse.csr_array(matrix)
    if backend.name.startswith("torch"):
        return matrix.to_sparse()
    if backend.name.startswith("jax"):
        from jax.experimental.sparse import BCOO

        return BCOO.fromdense(matrix)
    from cupyx.scipy.sparse import csr_matrix

    stored = sparse.csr_array(backend.numpy(matrix))  # a dense matrix would ask for cuSPARSE
    if stored.dtype.kind in "iu":  # which CuPy's do not hold
        stored = stored.astype(np.float64 if stored.nnz and stored.min() < 0 else np.bool_)
    found = csr_matrix(tuple(map(backend.of, (stored.data, stored.indices, stored.indptr))), shape=stored.shape)
    found.has_canonical_format = True
    return found


def sets_of(matrix):
    return [set(np.flatnonzero(row).tolist()) for row in np.asarray(matrix)]


def assert_is(backend, found, wanted, like, what):
    backend.assert_close(found, wanted, what)
    backend.assert_at_home(found, like, (len(wanted),) if isinstance(wanted, list) else ())


@pytest.mark.by_default
@only_for(has_sparse)
@pytest.mark.parametrize("name", MEASURES)
def test_definitions(backend, name):
    """Of matrices with and without empty rows and columns: few, as JAX compiles for each number of entries."""
    weights = backend.array(WEIGHTS)
    for case in ("few ties", "rare", "one-sided", "nothing"):
        arrays = given(name, case, backend)
        stored = [sparse_of(backend, x) for x in arrays]
        for average in AVERAGES[name]:
            found = getattr(multilabel, name)(*stored, average=average)
            assert_is(backend, found, exact(name, case, average), arrays[0], f"{case} {average}")
            found = getattr(multilabel, name)(*stored, average=average, sample_weight=weights, on_undefined="skip")
            wanted = exact(name, case, average, is_weighted=True, on_undefined="skip")
            assert_is(backend, found, wanted, arrays[0], f"{case} {average}, weights")


@only_for(has_sparse)
def test_measures_of_one_score(backend):
    for case in ("ties", "rare", "one-sided", "nothing", "everything"):
        labels, scores = (backend.array(np.asarray(x, dtype=float)) for x in MATRICES[case])
        stored = sparse_of(backend, backend.array(np.asarray(MATRICES[case][0]))), sparse_of(backend, scores)
        exactly = [[[float(x) for x in row] for row in part] for part in MATRICES[case]]
        found = multilabel.mean_probability_rate(*stored)
        assert_is(backend, found, oracles.mean_probability_rate(*exactly), labels, case)
        for form in ("categorical", "binary"):
            found, dense = (multilabel.log_loss(*x, form=form, eps=1e-3) for x in (stored, (labels, scores)))
            backend.assert_close(found, float(backend.numpy(dense)), f"{case} {form}")


@pytest.mark.parametrize("form", ["csc_matrix", "coo_array", "bsr_array", "dia_array", "lil_matrix", "dok_array"])
def test_formats_and_repeated_entries(form):
    labels, predicted = np.asarray(MATRICES["rare"][0]), np.asarray(MATRICES["ties"][0])
    stored = [getattr(sparse, form)(x) for x in (labels, predicted)]
    assert multilabel.f_score(*stored) == multilabel.f_score(labels, predicted)


def test_entries_of_one_place_are_added_up_and_zeros_may_be_stored():
    halves = sparse.coo_array(([0.25, 0.5, 0.0, 0.75], ([0, 0, 1, 1], [1, 1, 0, 2])), shape=(2, 3))
    labels = sparse.csr_array(([1, 0, 1], [1, 0, 2], [0, 1, 3]), shape=(2, 3))
    assert multilabel.mean_squared_error(labels, halves) == (0.25**2 + 0.25**2) / 6
    unsorted = sparse.csr_array(([0.5, 0.0, 0.25, 0.75], [1, 0, 1, 2], [0, 3, 4]), shape=(2, 3))
    assert multilabel.mean_squared_error(labels, unsorted) == (0.25**2 + 0.25**2) / 6
    assert unsorted.nnz == 4  # what users give is not changed
    unsorted.data = unsorted.data.astype(np.float16)  # which SciPy does not add
    assert multilabel.mean_squared_error(labels, unsorted) == (0.25**2 + 0.25**2) / 6


def test_labels_that_are_not_known():
    labels = np.asarray([[1, -1, 0], [0, 1, -1], [-1, -1, -1], [0, 0, 1]])
    scores = np.asarray([[0.5, 0.25, 0], [0.75, 0, 0], [0, 0.5, 0], [0, 0.25, 1]])
    stored = sparse.csr_array(labels), sparse.csr_array(scores)
    names = ("f1", "hamming_loss", "auc", "ap", "mse", "mpr", "log_loss")
    found, wanted = (
        multilabel.evaluate(*x, metrics=names, ignore_labels=-1, on_undefined="skip")
        for x in (stored, (labels, scores))
    )
    for name, score in wanted.items():
        assert found[name] == pytest.approx(score, rel=1e-14, nan_ok=True), name


@only_for(has_sparse)
def test_small_weights_beside_large_ones(backend):
    """What is not stored weighs what it would if it were, however much less than what is stored."""
    labels, scores = backend.array(np.asarray([[1], [1], [0], [0]])), backend.array(np.asarray([[0.9], [0], [0], [0]]))
    stored = sparse_of(backend, labels), sparse_of(backend, scores)
    large = 1e8 if backend.name == "jax" else 1e16  # of 32 bits
    for weights in ([large, 1, 1, 2], [0, large, 1, 2], [large / 3, large / 3, large / 3, 1], [1, 1, 1 / large, 0]):
        found = multilabel.roc_auc_score(*stored, average=None, sample_weight=backend.array(np.asarray(weights)))
        backend.assert_close(found, [(weights[0] + weights[1] / 2) / (weights[0] + weights[1])], weights)


# Label sets

TRUE, PRED = [[12, 35, 200], [54, 55], []], [[12, 54], [54, 55], [7]]
"""Six classes: 12, 54 and 55 are found, 54 once too often, 7 is wrong, 35 and 200 are missed."""


def test_label_sets():
    counts = LabelCounts.from_labels(TRUE, PRED)
    assert counts.classes == [7, 12, 35, 54, 55, 200]
    assert counts.true_positives.tolist() == [0, 1, 0, 1, 1, 0]
    assert counts.false_positives.tolist() == [1, 0, 0, 1, 0, 0]
    assert counts.false_negatives.tolist() == [0, 0, 1, 0, 0, 1]
    assert counts.true_negatives.tolist() == [2, 2, 2, 1, 2, 2]
    assert multilabel.f_score(TRUE, PRED, average="micro") == 6 / 10
    assert multilabel.f_score(TRUE, PRED, average="samples") == pytest.approx((2 / 5 + 1 + 0) / 3)
    assert multilabel.hamming_loss(TRUE, PRED) == 4 / 18
    assert multilabel.hamming_loss(TRUE, PRED, n_classes=201) == 4 / (3 * 201)


@pytest.mark.parametrize(
    "form",
    [
        lambda rows: [set(row) for row in rows],
        lambda rows: [frozenset(row) for row in rows],
        lambda rows: tuple(map(tuple, rows)),
        lambda rows: [np.asarray(row, dtype=np.int32) for row in rows],
        lambda rows: pd.Series(rows),
        lambda rows: pd.Series([np.asarray(row, dtype=int) for row in rows]),
        lambda rows: pl.Series(rows),
        lambda rows: pl.Series(rows).to_arrow(),
        lambda rows: np.asarray([*rows, None], dtype=object)[:-1],
        lambda rows: pd.Series([frozenset(row) for row in rows]),
        lambda rows: pd.Series([tuple(row) for row in rows]),
        lambda rows: [dict.fromkeys(row).keys() for row in rows],
    ],
    ids=[
        *("sets", "frozensets", "tuples", "arrays", "pandas", "pandas of arrays", "polars", "Arrow", "objects"),
        *("pandas of frozensets", "pandas of tuples", "keys"),
    ],
)
def test_forms_of_label_sets(form):
    wanted = LabelCounts.from_labels(TRUE, PRED)
    for given_sets in ((form(TRUE), form(PRED)), (form(TRUE), PRED), (TRUE, form(PRED))):
        found = LabelCounts.from_labels(*given_sets)
        assert found.classes == wanted.classes
        assert found.true_negatives.tolist() == wanted.true_negatives.tolist()
        assert multilabel.recall_score(*given_sets, average="samples") == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_text_and_labels_far_from_each_other():
    names = {7: "owl", 12: "cat", 35: "dog", 54: "ant", 55: "bee", 200: "elk"}
    rows = [[[names[x] for x in row] for row in side] for side in (TRUE, PRED)]
    scores = multilabel.evaluate(rows[0], y_pred=rows[1], metrics="recall")
    assert scores.classes == sorted(names.values())
    assert scores.per_class["recall"].tolist() == [1, 1, 1, 0, 0, 0]
    far = [[[x * 10**15 for x in row] for row in side] for side in (TRUE, PRED)]
    assert LabelCounts.from_labels(*far).classes == [x * 10**15 for x in (7, 12, 35, 54, 55, 200)]
    assert multilabel.f_score(*far) == multilabel.f_score(TRUE, PRED)


def test_rows_of_one_length_are_a_matrix():
    """But for sets, and beside sets where they cannot be one; an error says so where they may be either."""
    rows, others = [[0, 1], [1, 0]], [[1, 0], [1, 0]]
    assert LabelCounts.from_labels(rows, others).true_positives.tolist() == [1, 0]
    for form in (list, np.asarray):
        labels = [form([0, 2]), form([1, 0])]
        assert LabelCounts.from_labels(labels, [{0}, {0, 2}]).true_positives.tolist() == [2, 0, 0]
        with pytest.raises(ValueError, match="y_pred must be an array if it is a matrix, or hold sets"):
            LabelCounts.from_labels([{0}, {1}], [form(row) for row in rows])
    assert LabelCounts.from_labels([{0}, {1}], [[], []]).false_negatives.tolist() == [1, 1]


def test_enumerations_of_text():
    kind = StrEnum("kind", ["CAT", "DOG"])
    found = LabelCounts.from_labels([{kind.CAT}, {kind.DOG, kind.CAT}], [{"cat"}, {"dog"}])
    assert found.classes == ["cat", "dog"]
    assert found.true_positives.tolist() == [1, 1]


@pytest.mark.parametrize("name", MEASURES)
def test_sets_beside_matrices(name):
    """Sets hold the columns then; with a dense matrix what is sparse becomes dense, too."""
    labels, predictions = np.asarray(MATRICES["rare"][0]), given_predictions(name)
    wanted = getattr(multilabel, name)(labels, predictions, average=None)
    sets, stored = sets_of(labels), sparse.csr_array(labels)
    both = sparse.csr_array(predictions)
    for y_true, y in ((sets, predictions), (sets, both), (stored, predictions), (labels, both), (stored, both)):
        np.testing.assert_allclose(getattr(multilabel, name)(y_true, y, average=None), wanted, rtol=1e-14)
    if name in OF_LABELS:
        found = getattr(multilabel, name)(sets, sets_of(predictions), average=None, n_classes=4)
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


def given_predictions(name):
    labels, scores = MATRICES["ties"]
    return np.asarray(labels) if name in OF_LABELS else floats(scores)


def test_the_class_of_each_sample_beside_sparse_scores():
    classes, scores = [2, 0, 1, 0], np.asarray([[0, 0.5, 0.5], [1, 0, 0], [0, 0.25, 0.75], [0.5, 0.5, 0]])
    for name in ("roc_auc_score", "log_loss", "mean_probability_rate"):
        measure = getattr(multilabel, name)
        assert measure(classes, sparse.csr_array(scores)) == pytest.approx(measure(classes, scores), rel=1e-14)


@only_for(has_sparse)
@pytest.mark.parametrize("weights", [None, [2, 3, 1, 1, 4], [0.5, 2, 1, 0.25, 1]])
def test_classes_that_are_not_known_beside_sparse_scores(backend, weights):
    """As beside dense scores: 0 may be ignored, too, as it is a class like all others."""
    scores = backend.array(np.asarray([[0, 0.5, 0.5], [1, 0, 0], [0, 0.25, 0.75], [0, 0.5, 0], [0.25, 0, 1]]))
    classes, stored = backend.array(np.asarray([0, -1, 2, 1, 0])), sparse_of(backend, scores)
    weights = None if weights is None else backend.array(np.asarray(weights))
    for name, averages in (
        ("roc_auc_score", (None, "micro", "samples")),
        ("average_precision_score", ("macro",)),
        ("mean_squared_error", (None, "micro", "samples")),
    ):
        for average in averages:
            for ignored in (-1, [0, -1]):
                options = {"ignore_labels": ignored, "average": average, "sample_weight": weights}
                wanted = getattr(multilabel, name)(classes, scores, **options)
                found = getattr(multilabel, name)(classes, stored, **options)
                backend.assert_close(found, backend.numpy(wanted).tolist(), f"{name} {average} {ignored}")
    options = {"ignore_labels": -1, "metrics": ["f1", "hamming_loss"], "averages": ["micro", "samples"]}
    wanted = multilabel.evaluate(classes, scores, **options, sample_weight=weights)
    found = multilabel.evaluate(classes, stored, **options, sample_weight=weights)
    for measure, score in wanted.items():
        backend.assert_close(found[measure], float(backend.numpy(score)), measure)


def test_classes_that_are_not_known_on_a_device():
    classes, scores = torch.asarray([0, -1, 1]), torch.asarray([[0.5, 0.25], [0, 1], [0, 0.75]])
    with as_on_a_device():
        for known in (-1, [-1, 0, 1]):
            found = multilabel.mean_squared_error(classes, scores.to_sparse(), ignore_labels=known, average=None)
            assert found.tolist() == [0.125, 0.0625] if known == -1 else found.isnan().all()
        assert multilabel.mean_squared_error(classes, scores.to_sparse(), average=None).isnan().all()


def test_evaluate_predicts_labels_of_sparse_scores():
    labels, scores = (
        np.asarray(MATRICES["rare"][0]),
        np.asarray([[float(x) for x in r] for r in MATRICES["few ties"][1]]),
    )
    for threshold in (0.5, [0.25, 0.5, 0.75, 1.0]):
        options = {"metrics": "all", "threshold": threshold, "on_undefined": "skip"}
        found = multilabel.evaluate(sparse.csr_array(labels), sparse.csr_array(scores), **options)
        for name, score in multilabel.evaluate(labels, scores, **options).items():
            assert found[name] == pytest.approx(score, rel=1e-13), name


def test_batches():
    accumulator = MultilabelAccumulator(["f1", "hamming_loss"], ["micro", "samples"], n_classes=201)
    for true, pred in zip(TRUE, PRED, strict=True):
        accumulator.update([set(true)], y_pred=[set(pred)])
    assert accumulator.scores["f1_micro"] == 6 / 10
    assert accumulator.scores["f1_samples"] == pytest.approx((2 / 5 + 1 + 0) / 3)
    assert accumulator.scores["hamming_loss_micro"] == 4 / (3 * 201)
    labels, scores = np.asarray(MATRICES["rare"][0]), floats(MATRICES["ties"][1])
    both = MultilabelAccumulator(["auc", "ap", "mse"], n_bins=8), MultilabelAccumulator(["auc", "ap", "mse"], n_bins=8)
    for rows in (slice(0, 2), slice(2, 6)):
        both[0].update(sparse.csr_array(labels[rows]), sparse.csr_array(scores[rows]))
        both[1].update(labels[rows], scores[rows])
    for name, score in both[1].scores.items():
        assert both[0].scores[name] == pytest.approx(score, nan_ok=True), name


# What is wrong

NAMES = {
    "S": sparse.csr_array(np.asarray([[0, 0.5], [2, 0]])),
    "Y": sparse.csr_array(np.asarray([[0, 1], [1, 0]])),
    "TALL": sparse.csr_array(np.ones((3, 2))),
    "WIDE": sparse.csr_array(np.ones((2, 3))),
    "NAN": sparse.csr_array(np.asarray([[0, np.nan], [1, 0]])),
    "np": np,
    "pd": pd,
    "HYBRID": torch.eye(2).to_sparse(1),
    "TORCH": torch.eye(2).to_sparse(),
}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("f_score([[12, 35], [54, 55]], [[12, 35], [54, 55]])", "ValueError: y_true must hold 0 and 1, got 12 at"),
        ("f_score([[1, 0], [1]], [[1, 0], [1]])", "ValueError: y_true must have rows of one length"),
        (
            "f_score([[1, 2, 1], [3]], [[1], [3]])",
            "ValueError: y_true must have each label of a sample once, got 1 twice",
        ),
        ("f_score([{1.5}, {2}], [{1}, {2}])", "TypeError: y_true must have labels that are all integers, or all text"),
        ("f_score([{True}, {2}], [{1}, {2}])", "TypeError: y_true must have labels that are all integers, or all text"),
        ("f_score([{'a'}, {2}], [{1}, {2}])", "TypeError: y_true must have labels that are all integers, or all text"),
        ("f_score([{'a'}, {'b'}], [{1}, {2}])", "TypeError: y_true and y_pred must have labels of one kind, got text"),
        (
            "f_score([{1}, None], [{1}, {2}])",
            "TypeError: y_true must have the labels of each sample in a set or a list",
        ),
        (
            "f_score(pd.Series([None, [1], [3]]), pd.Series([[0], [1, 2], [3]]))",
            "TypeError: y_true must have the labels of each sample in a set or a list, got None at position 0",
        ),
        (
            "f_score([[1, 2], [3]], [None, [3]])",
            "TypeError: y_pred must have the labels of each sample in a set or a list, got None at position 0",
        ),
        (
            "f_score([[np.array([1, 2])], [1, 2]], [[1], [2, 3]])",
            "TypeError: y_true must have labels that are all integers, or all text, got array([1, 2]) at position 0",
        ),
        (
            "f_score(pd.Series([[1, 1], [0, 1]]), [{1}, {1}])",
            "ValueError: y_true must have each label of a sample once, got 1 twice at position 0; give an array if",
        ),
        (
            "f_score([{1}, {2**63}], [{1}, {2}])",
            "ValueError: y_true must have labels from -2**63 to below 2**63, got 9223372036854775808 at position 1",
        ),
        (
            "roc_auc_score([0, 3], WIDE)",
            "ValueError: y_true must hold the class of each sample, from 0 to below 3, got 3 at position 1",
        ),
        (
            "roc_auc_score([0, -1], WIDE)",
            "ValueError: y_true must hold the class of each sample, from 0 to below 3, got -1 at position 1; give",
        ),
        (
            "roc_auc_score([-1, -1], WIDE, ignore_labels=-1)",
            "ValueError: ignore_labels must leave at least one label of y_true, got none left of 2 samples",
        ),
        (
            "roc_auc_score(NAN, S)",
            "ValueError: y_true must hold 0 and 1, got nan at row 0, column 1; give ignore_labels= where",
        ),
        ("f_score(Y, TORCH)", "TypeError: y_true and y_pred must be of one array library, got "),
        ("predicted_labels(S)", "TypeError: y_score must be dense for predicted_labels, got "),
        (
            "f_score(HYBRID, HYBRID)",
            "ValueError: y_true must be sparse in both dimensions, got dense_dim=1",
        ),
        (
            "f_score([[12], [54]], np.ones((2, 3)))",
            "ValueError: y_pred must have the shape of y_true, (2, 1), got (2, 3); give sets where rows hold labels",
        ),
        (
            "f_score(Y, [[0], [1]])",
            "ValueError: y_pred must have the shape of y_true, (2, 2), got (2, 1); give sets where rows hold labels",
        ),
        (
            "MultilabelAccumulator('f1', n_classes=3).update([[0], [1]], y_pred=[[1], [1]])",
            "ValueError: y_true must be of n_classes=3 classes, got 1; give sets where rows hold labels",
        ),
        ("f_score([{1}, {2}], [{1}])", "ValueError: y_pred must have a row for each sample of y_true (2), got 1"),
        ("f_score([{1}, {2}], [{1}, {2}], n_classes=2)", "ValueError: y_true must have labels from 0 to below"),
        (
            "f_score([{1}, {2}], Y)",
            "ValueError: y_true must have labels from 0 to below the number of classes (2), got 2",
        ),
        (
            "f_score([{'a'}, {'b'}], Y)",
            "TypeError: y_true must have labels from 0 to below the number of classes (2), got 'a' at",
        ),
        ("f_score([set(), set()], [set(), set()])", "ValueError: y_true must have at least one sample and one class"),
        ("f_score(S, Y)", "ValueError: y_true must hold 0 and 1, got 0.5 at row 0, column 1"),
        ("f_score(Y, S)", "ValueError: y_pred must hold 0 and 1, got 0.5 at row 0, column 1; evaluate("),
        ("f_score(Y, TALL)", "ValueError: y_pred must have a row for each sample of y_true (2), got 3"),
        ("f_score(Y, WIDE)", "ValueError: y_pred must have the shape of y_true, (2, 2), got (2, 3)"),
        ("f_score(Y, [0, 1])", "ValueError: y_true and y_pred must both be vectors, or both matrices"),
        ("f_score(Y, Y, mask=np.ones((2, 2), bool))", "TypeError: mask must be left out where y_true is sparse"),
        ("f_score(Y, Y, ignore_labels=0)", "ValueError: ignore_labels must not have 0 where y_true is sparse"),
        ("f_score(Y, Y, sample_weight=[1])", "ValueError: sample_weight must have a weight for each sample (2), got 1"),
        ("f_score(Y, Y, n_classes=2)", "TypeError: n_classes must be left out where y_true is a matrix"),
        ("roc_auc_score(Y, NAN)", "ValueError: y_score must not hold NaN, got nan at row 0, column 1"),
        ("log_loss(Y, S)", "ValueError: y_score must hold probabilities, from 0 to 1, got 2.0 at row 1, column 0"),
        ("log_loss(Y, S, from_logits=True)", 'ValueError: form must be "binary" for from_logits=True and sparse'),
        ("evaluate(Y, Y, metrics='f1', threshold=0)", "ValueError: threshold must be above 0 where y_score is sparse"),
        ("evaluate(Y, Y, metrics='f1', at_least_one=True)", "ValueError: at_least_one must be False where y_score is"),
        (
            "MultilabelAccumulator('auc').update(Y, Y)",
            "ValueError: n_bins must be given for areas under curves of sparse",
        ),
    ],
)
def test_a_wrong_call_raises_one_clear_error(call, error):
    kind, message = error.split(": ", 1)
    public = {name: getattr(multilabel, name) for name in multilabel.__all__}
    with pytest.raises((TypeError, ValueError)) as raised:
        eval(call, NAMES | public)
    assert type(raised.value).__name__ == kind
    assert str(raised.value).startswith(message)


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
def test_tensors_by_rows_that_are_not_matrices():
    labels = torch.eye(3, dtype=torch.int64)
    ones = torch.ones(3, dtype=torch.int64)
    for columns, message in (
        ([1, 1, 0], "each label of a sample once, got 1 twice at position 0"),
        ([1, 3, 0], "got 3"),
    ):
        wrong = torch.sparse_csr_tensor([0, 2, 3, 3], columns, ones, size=(3, 3), check_invariants=False)
        with pytest.raises(ValueError, match=message):
            multilabel.f_score(wrong, labels.to_sparse())
        with as_on_a_device():
            assert multilabel.f_score(wrong, labels.to_sparse()).isnan()


def test_what_is_wrong_on_a_device_is_not_a_number():
    labels, wrong = torch.eye(3, dtype=torch.int64), torch.tensor([[1, 0, 0], [0, 2, 0], [0, 0, 1]])
    with as_on_a_device():
        found = multilabel.f_score(wrong.to_sparse(), labels.to_sparse(), average=None)
    assert found[[0, 2]].tolist() == [1, 1]
    assert found[1].isnan()


# Size


def test_counts_of_more_entries_than_32_bits_count():
    """The true negatives of all classes together are more than 2^31, which is the largest integer of JAX by default."""
    import jax.numpy as jnp
    from jax.experimental.sparse import BCOO

    n = 50_000
    places = jnp.stack([jnp.arange(n), jnp.arange(n)], axis=1)
    labels, others = (BCOO((jnp.ones(n, dtype=jnp.int32), x), shape=(n, n)) for x in (places, places.at[0, 1].set(5)))
    with as_on_a_device():
        loss = float(multilabel.hamming_loss(labels, others))
    assert loss == pytest.approx(2 / n**2, rel=1e-5)


@pytest.mark.parametrize("form", ["sets", "sparse"])
def test_memory(form):
    """Dense, the labels of 10^5 samples and as many classes would take 10 GB as bytes."""
    n = k = 100_000
    rng = np.random.default_rng(0)
    rows = [np.sort(rng.integers(0, k - 4, (n, 5)), axis=1) + np.arange(5) for _ in range(2)]
    rows[1][::2] = rows[0][::2]
    starts = np.arange(n + 1, dtype=np.int32) * 5

    def stored(columns, values):
        return sparse.csr_array((values, columns.astype(np.int32).reshape(-1), starts), shape=(n, k))

    ones = np.ones(5 * n, dtype=np.int8)
    labels, predicted = (stored(x, ones) for x in rows)
    scores = stored(rows[1], rng.random(5 * n, dtype=np.float32))
    size = labels.data.nbytes + labels.indices.nbytes + labels.indptr.nbytes
    if form == "sets":
        arguments = [set(row) for row in rows[0].tolist()], [set(row) for row in rows[1].tolist()]
        calls, size = [lambda: multilabel.f_score(*arguments)], 216 * n  # of the smallest set of five alone
    else:
        measures = multilabel.average_precision_score, multilabel.roc_auc_score, multilabel.log_loss
        calls = [lambda: multilabel.f_score(labels, predicted, average="samples")]
        calls += [lambda of=of, x=x: of(labels, scores, **x) for of in measures[:2] for x in ({}, {"average": "micro"})]
        calls += [lambda: multilabel.log_loss(labels, scores, form="binary")]
    for call in calls:
        tracemalloc.start()
        try:
            call()
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 10 * 2 * size
