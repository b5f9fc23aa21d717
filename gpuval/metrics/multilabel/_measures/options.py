"""The options of measures of labels: what is wrong with them is said before anything is found."""

from __future__ import annotations

from typing import Any

from gpuval.inputs.options import as_number, check_flag, check_known_options, check_not_negative, check_option
from gpuval.metrics._common.options import Formula

_ELSEWHERE = {
    "zero_division": "on_undefined",
    "preds": "y_pred",
    "target": "y_true",
    "y_proba": "y_score",
    "y_prob": "y_score",
    "num_labels": "n_classes",
    "num_classes": "n_classes",
    "ignore_index": "ignore_labels",
    "multioutput": "average",
    "multilabel": "form",
    "nan_policy": "on_undefined",
}
"""What other libraries call arguments, and what these are called here."""

_HINTS = {
    "threshold": "predicted_labels(y_score, threshold) makes labels of scores",
    "labels": "the classes are the columns, or the sorted labels",
    "pos_label": "average=None gives the value of each class",
    "num_labels": "the classes are the columns, or the sorted labels",
    "num_classes": "the classes are the columns, or the sorted labels",
    "top_k": "predicted_labels(y_score, threshold) makes labels of scores",
    "multi_class": "each class is one against all others",
    "max_fpr": "the whole curve counts",
    "thresholds": "all scores are thresholds; MultilabelAccumulator(n_bins=...) has some of them",
    "normalize": "the mean over the samples times their number is the sum",
}
"""What to do in place of options of other libraries that there are not."""

CHOICES: dict[str, tuple[str, ...]] = {
    "form": ("categorical", "binary"),
    "definition": ("recall", "min_precision_recall", "min_recall_specificity", "mean_recall_specificity"),
}
"""The values of options that have few."""

_FLAGS = ("from_logits", "adjusted")


def read_label_options(options: dict[str, Any], formula: Formula, others: tuple[str, ...]) -> dict[str, Any]:
    """The options that were given to a measure, as its formula takes them; ``others`` are those besides."""
    check_known_options(options, formula, _ELSEWHERE, others, _HINTS)
    found = dict(options)
    for name, x in options.items():
        if name in CHOICES:
            check_option(name, x, CHOICES[name])
        elif name in _FLAGS:
            check_flag(name, x)
        elif name == "beta":
            found[name] = read_beta(x)
        elif name == "eps" and not (isinstance(x, str) and x == "auto"):
            found[name] = _read_eps(x)
    return found


def read_beta(beta: Any) -> float:
    """How many times as important recall is as precision; it may be infinite."""
    number = as_number("beta", beta)
    return number if number == float("inf") else check_not_negative("beta", beta)


def _read_eps(eps: Any) -> float:
    number = check_not_negative("eps", eps)
    if number >= 0.5:
        raise ValueError(f'eps must be "auto", or from 0 to below 0.5, got {eps!r}')
    return number
