"""Several labels for each sample: measures of predicted labels, scores and probabilities, by class and on average."""

from gpuval.evaluation.multilabel.accumulator import *
from gpuval.evaluation.multilabel.evaluation import *
from gpuval.evaluation.multilabel.result import *
from gpuval.metrics.multilabel.curves import *
from gpuval.metrics.multilabel.label_counts import *
from gpuval.metrics.multilabel.losses import *
from gpuval.metrics.multilabel.predicted import *
from gpuval.metrics.multilabel.probability_rates import *
from gpuval.metrics.multilabel.thresholds import *

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
