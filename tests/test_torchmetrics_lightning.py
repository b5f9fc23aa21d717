"""Several measures of one table, logged by PyTorch Lightning itself."""

from __future__ import annotations

import numpy as np
import pytest
import pytorch_lightning as lightning
import torch
import torchmetrics
from guide_pages import blocks, ran

import gpuval
from gpuval.torchmetrics import ClusteringMetric

NAMES = {"val_nmi": "nmi", "val_ari": "ari", "val_acc": "acc"}
SIZES = {"n_classes": 3, "n_clusters": 4}

pytestmark = [
    pytest.mark.filterwarnings(rf"ignore:.*{text}")
    for text in ("does not have many workers which may be a bottleneck", r"isinstance\(treespec, LeafSpec\)")
]


def of_one_metric():
    """The module of the guide."""
    code, _ = blocks("training-loops.md", "python")
    names = dict(ran("training-loops.md").names)
    exec(compile(code, "training-loops.md", "exec"), names)
    return names["Clusterer"]


def of_a_collection():
    class Collected(of_one_metric()):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            self.scores = torchmetrics.MetricCollection(
                {key: ClusteringMetric(name, **SIZES) for key, name in NAMES.items()}
            )

        def validation_step(self, batch, index):
            super().validation_step(batch, index)
            self.log_dict(self.scores, batch_size=len(batch[1]))

        def on_validation_epoch_end(self):
            pass

    return Collected


def of_one_measure():
    class Single(of_one_metric()):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            self.scores = ClusteringMetric("ari", **SIZES)

        def validation_step(self, batch, index):
            super().validation_step(batch, index)
            self.log("val_ari", self.scores, batch_size=len(batch[1]))

        def on_validation_epoch_end(self):
            pass

    return Single


@pytest.mark.parametrize("of_kind", [of_one_metric, of_a_collection, of_one_measure])
def test_lightning_logs_the_scores_of_each_epoch(of_kind, tmp_path):
    rng = np.random.default_rng(0)
    samples = torch.as_tensor(rng.normal(size=(100, 5)), dtype=torch.float32)
    labels = torch.as_tensor(rng.integers(0, 3, size=100))
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(samples, labels), batch_size=30)
    seen = []

    class Watched(of_kind()):
        def on_validation_end(self):
            if not self.trainer.sanity_checking:
                logged = {name: float(self.trainer.callback_metrics[name]) for name in names}
                seen.append((logged, self.layer(samples).argmax(1)))

    names = ["val_ari"] if of_kind is of_one_measure else list(NAMES)
    torch.manual_seed(0)
    model = Watched(5, 3, 4)
    model.configure_optimizers = lambda: torch.optim.SGD(model.parameters(), lr=3.0)  # clusters change with each epoch
    lightning.Trainer(
        max_epochs=3,
        accelerator="cpu",
        devices=1,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        log_every_n_steps=1,
        default_root_dir=tmp_path,
    ).fit(model, data, data)
    assert len(seen) == 3
    assert not torch.equal(seen[0][1], seen[-1][1])
    for logged, clusters in seen:
        expected = gpuval.evaluate(labels.numpy(), clusters.numpy(), {name: NAMES[name] for name in names})
        assert logged == pytest.approx(dict(expected), rel=1e-6)
