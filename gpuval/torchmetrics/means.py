"""The base of metrics of torchmetrics that are means of measures, and keep only sums."""

from __future__ import annotations

from typing import Any, Unpack

from gpuval.engines.backends import moved
from gpuval.evaluation._common.means import MeansSettings
from gpuval.inputs.options import needed
from gpuval.numerics import Array
from gpuval.numerics.stable import added_sums, means_of
from gpuval.torchmetrics.options import MetricOptions

with needed("gpuval.torchmetrics", "torchmetrics"):
    import torch

    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.sums import MetricOfMeasures, added_up


class MetricOfMeans(MetricOfMeasures):
    """A metric of the means of measures over all batches. A derived class has ``update``, which gives sums to ``_add``.

    ``is_one`` says whether the metric returns one score, and not a dictionary of scores.
    """

    sums: torch.Tensor

    def __init__(self, settings: MeansSettings, *, is_one: bool, **options: Unpack[MetricOptions]) -> None:
        super().__init__(**options)
        self._given_settings, self._is_one = settings, is_one
        self._add_settings(settings.described())
        like = torch.zeros(1, device=self.device)
        nothing = torch.zeros((2, 2, len(settings.asked)), dtype=TORCH.widest(like).float, device=self.device)
        self.add_state("sums", nothing, dist_reduce_fx=added_up)

    def compute(self) -> Any:
        """The score of all batches so far, or a dictionary of several scores; NaN if nothing counts."""
        means = means_of(self.sums, TORCH.xp)
        return means[0] if self._is_one else {name: means[i] for i, name in enumerate(self._given_settings.asked)}

    def extra_repr(self) -> str:
        """The measures and the settings, for the printed form of the metric."""
        measures = self._titles[0] if self._is_one else f"[{', '.join(self._titles)}]"
        others = {name: x for name, x in vars(self._given_settings).items() if name != "asked" and x is not None}
        return ", ".join([measures, *(f"{name}={x!r}" for name, x in others.items())])

    # Within

    @property
    def _titles(self) -> list[str]:
        return [str(name) for name in self._given_settings.asked]

    def _add(self, sums: Array) -> None:
        """Add the sums of a batch."""
        self.sums = added_sums(self.sums, moved(sums, self.sums), TORCH.xp)
