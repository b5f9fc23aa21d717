"""Evaluations by external and internal measures together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.evaluation.internal_scores import Key, MeasureSelection, internal_evaluations, read_external_and_internal
from gpuval.inputs.containers import read_again
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.measures.requests import Metrics
from gpuval.registry.requests import Building, ScoreExtras
from gpuval.results.evaluations import Comparison, Evaluation
from gpuval.results.references import NO_REFERENCES, References


@dataclass(frozen=True)
class SampleRequest:
    """What is asked of labels together with samples. Iterators are lists already, for measures of both."""

    measures: MeasureSelection
    X: Any
    truths: References
    building: Building
    extras: ScoreExtras
    progress: bool

    @classmethod
    def read(
        cls, metrics: Metrics, X: Any, labels_true: Any, building: Building, extras: ScoreExtras, progress: bool
    ) -> SampleRequest:
        """Read the measures, and check that they have what they need."""
        truths = NO_REFERENCES if labels_true is None else References.read(read_again(labels_true))
        ignore = LabelsToIgnore.read(building.ignore_labels)
        building = building._replace(sample_weight=read_again(building.sample_weight), ignore_labels=ignore)
        extras = extras._replace(by=read_again(extras.by))
        for name in ("confidence_level", "groups"):
            if not truths.vectors and getattr(extras, name) is not None:
                raise ValueError(f"{name} must be None without labels_true: internal measures have no intervals")
        if not truths.vectors and building.n_classes is not None:
            raise ValueError(f"n_classes must be None without labels_true, got {building.n_classes}")
        has_weights = building.sample_weight is not None
        measures = read_external_and_internal(metrics, has_truth=bool(truths.vectors), has_weights=has_weights)
        return cls(measures, X, truths, building, extras, progress)

    def evaluation(self, labels_pred: Any, external: Any) -> Evaluation | Comparison:
        """What ``gpuval.evaluate`` gives: ``external`` is that of the measures of a table, or None."""
        internal = self._internal(["labels_pred"], {"labels_pred": labels_pred})
        if self.extras.by is None:
            return self._merge(external, internal.get((0, None), Evaluation({})))
        return self._together(external, {value: scores for (_, value), scores in internal.items()}, ("by",))

    def comparison(self, names: Sequence[Any], vectors: Mapping[str, Any], external: Comparison | None) -> Comparison:
        """What ``gpuval.compare`` gives."""
        internal, by = self._internal(names, vectors), self.extras.by
        in_order = sorted(internal, key=lambda at: at[0])
        keys = {at: names[at[0]] if by is None else (names[at[0]], at[1]) for at in in_order}
        return self._together(external, {keys[at]: internal[at] for at in in_order}, self.extras.levels)

    def _internal(self, names: Sequence[Any], vectors: Mapping[str, Any]) -> dict[Key, Evaluation]:
        measures, by = self.measures.internal, self.extras.by
        return internal_evaluations(
            measures, self.X, self.truths.vectors, names, vectors, self.building, by, self.progress
        )

    def _together(
        self, external: Comparison | None, internal: Mapping[Any, Evaluation], levels: Sequence[str]
    ) -> Comparison:
        """The evaluations of both kinds, each by its name."""
        if external is None:
            return Comparison({name: self._merge(None, x) for name, x in internal.items()}, levels=levels)
        merged = {name: self._merge(scores, internal[name]) for name, scores in external.items()}
        return Comparison(merged, external.leads, levels, external.subject, external.voices)

    def _merge(self, external: Evaluation | None, internal: Evaluation) -> Evaluation:
        """The scores of both in the order asked for; an external measure may be left out for real weights."""
        return (internal if external is None else external).joined(internal, self.measures.names)
