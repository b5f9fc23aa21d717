"""Measures of classification where a sample may have several labels (or one of several classes).

Each measure takes the true labels ``y_true``, a matrix of 0 and 1 with a row for each sample and a column for each
class, dense or sparse, or label sets; and either predicted labels ``y_pred`` or scores ``y_score``. ``average`` says
how the values of the classes become one score: "macro", "micro", "weighted", "samples", or None for the value of each
class. :func:`evaluate` computes several measures and averages at once:

- of predicted labels: :func:`precision_score`, :func:`recall_score`, :func:`f_score` (F1),
  :func:`balanced_accuracy_score` and :func:`hamming_loss`; :func:`predicted_labels` turns scores into labels;
- of the order of scores: :func:`roc_auc_score` (AUC) and :func:`average_precision_score` (AP);
- of probabilities: :func:`log_loss`, :func:`mean_squared_error` (Brier score), :func:`mean_absolute_error`,
  :func:`mean_probability_rate` and :func:`macro_average_probability_rate`.

:class:`LabelCounts` holds counts for several calls, and :class:`MultilabelAccumulator` takes batches.

Examples
--------
>>> from gpuval import multilabel
>>> labels, predicted = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]]
>>> float(multilabel.precision_score(labels, predicted))
0.75
"""

from gpuval.multilabel.accumulator import *
from gpuval.multilabel.counts import *
from gpuval.multilabel.curves import *
from gpuval.multilabel.evaluation import *
from gpuval.multilabel.losses import *
from gpuval.multilabel.predicted import *
from gpuval.multilabel.thresholds import *

__all__ = [
    "LabelCounts",
    "MultilabelAccumulator",
    "MultilabelScores",
    "average_precision_score",
    "balanced_accuracy_score",
    "evaluate",
    "f_score",
    "hamming_loss",
    "log_loss",
    "macro_average_probability_rate",
    "mean_absolute_error",
    "mean_probability_rate",
    "mean_squared_error",
    "precision_score",
    "predicted_labels",
    "recall_score",
    "roc_auc_score",
]


def __dir__() -> list[str]:
    """The public names, for completion."""
    return list(__all__)
