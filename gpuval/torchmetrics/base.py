"""The base of metrics of torchmetrics that keep sums: their options, and how they are moved, loaded and plotted."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict

from gpuval.inputs.options import require_extra
from gpuval.measures.measure import declared
from gpuval.numerics import Array
from gpuval.numerics.stable import add_sums
from gpuval.streaming.checkpoints import check_names, read_array
from gpuval.streaming.processes import digest_of

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    import torch
    import torchmetrics
    from torchmetrics.utilities.plot import plot_single_or_multi_val

    from gpuval.engines.backends.torch import TORCH


class MetricOfSums(torchmetrics.Metric):
    """A metric whose states are checked before they are loaded or merged, and keep their types.

    They are tensors of one shape, sums, or lists of tensors, which are never written into: copies may share them.
    """

    full_state_update = False
    _updates, _has_been_traced = 0, False

    def _wrap_update(self, update: Callable[..., None]) -> Callable[..., None]:
        wrapped = super()._wrap_update(update)

        @functools.wraps(update)
        def wrapper(*args: Any, **options: Any) -> None:
            if torch.compiler.is_compiling():  # which would compile anew for each number of updates
                self._computed, self._has_been_traced = None, True
                with torch.set_grad_enabled(self._enable_grad):
                    update(*args, **options)
                if self.compute_on_cpu:
                    self._move_list_states_to_cpu()
            else:
                wrapped(*args, **options)

        return wrapper

    @property
    def _update_count(self) -> int:
        """How many updates there were outside of compiled graphs; 1 if there were only updates inside of them."""
        return max(self._updates, int(self._has_been_traced))

    @_update_count.setter
    def _update_count(self, count: int) -> None:
        self._updates, self._has_been_traced = int(count), False

    def reset(self) -> None:
        """Forget all batches."""
        for name, default in self._defaults.items():
            if isinstance(default, list):
                setattr(self, name, [])
        super().reset()

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one score or several: the result of ``compute`` or ``forward``, or a list of such results.

        Parameters
        ----------
        val
            What to plot; by default the result of ``compute``.
        ax
            The axes of matplotlib to plot on.

        Returns
        -------
        tuple
            The figure and the axes.
        """
        with require_extra("plot()", "plots"):
            import matplotlib  # noqa: F401
        val = self.compute() if val is None else val
        return plot_single_or_multi_val(
            val, ax=ax, higher_is_better=self.higher_is_better, name=", ".join(self._titles)
        )

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        """Whether a higher score is better; None if neither is, if this is not known, or if the measures differ."""
        directions = {x.better if x else "" for x in map(declared, self._measures())}
        return {"higher": True, "lower": False}.get(directions.pop()) if len(directions) == 1 else None

    def _measures(self) -> Iterable[Callable[..., Any]]:
        """The measures, and functions of users."""
        raise NotImplementedError

    @property
    def _titles(self) -> list[str]:
        """What the scores are called."""
        raise NotImplementedError

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], *args: Any, **options: Any) -> Any:
        """Go to another device, and to no other type: sums are to stay exact."""

        def move(x: torch.Tensor) -> torch.Tensor:
            y = fn(x)
            return y if y.dtype == x.dtype else x.to(y.device)

        return super()._apply(move, *args, **options)

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *args: Any) -> None:
        names = [name for name in self._defaults if f"{prefix}{name}" in state_dict]
        state = {name: state_dict[f"{prefix}{name}"] for name in names}
        self._check_state(state)
        super()._load_from_state_dict(state_dict, prefix, *args)
        for name in names:  # what is loaded is the state's own memory
            loaded, default = state[name], self._defaults[name]
            if isinstance(default, list):
                setattr(self, name, [x.to(self.device, copy=True) for x in loaded])
            else:
                setattr(self, name, loaded.to(default.device, copy=True))
        self._computed = None

    def _reduce_states(self, incoming_state: dict[str, Any]) -> None:
        check_names(incoming_state, self._defaults)
        self._check_state({name: incoming_state[name] for name in self._defaults})
        super()._reduce_states(incoming_state)
        self._computed = None

    def _check_state(self, state: dict[str, Any]) -> None:
        """Check that states, all or some, are those of a metric with the same settings."""
        for name in state:
            own = self._defaults[name]
            if isinstance(own, list):
                if not (isinstance(state[name], list) and all(isinstance(x, torch.Tensor) for x in state[name])):
                    raise TypeError(f"state must have {name} as a list of tensors, got {type(state[name]).__name__}")
            elif read_array(state, name, tuple(own.shape)).dtype != own.dtype:
                raise ValueError(f"state must have {name} of {own.dtype}, got {state[name].dtype}")


class MetricOfMeasures(MetricOfSums):
    """A metric of several measures, with states for its settings and for the sums over all batches."""

    settings: torch.Tensor

    def _add_settings(self, settings: Mapping[str, Any]) -> None:
        """Add the state that tells apart metrics which measure something else, before all others.

        So an error leaves these as they are when states are reduced. Metrics of a collection whose states are nearly
        equal are taken for one group: it is bytes, of which no two are nearly equal.
        """
        self._names_of_settings = _join_names(list(settings))
        digest = digest_of(tuple(settings.items()))
        state = torch.tensor(list(digest.to_bytes(4, "big")), device=self.device)
        reduced = functools.partial(_the_same_settings, names=self._names_of_settings)
        self.add_state("settings", state, dist_reduce_fx=reduced)

    def _add_sums(self, n_measures: int) -> None:
        """Add the state of the sums for the means of measures, as ``sums_for_means`` has them."""
        like = torch.zeros(1, device=self.device)
        nothing = torch.zeros((2, 2, n_measures), dtype=TORCH.widest(like).float, device=self.device)
        self.add_state("sums", nothing, dist_reduce_fx=reduce_sums)

    def forward(self, *args: Any, **options: Any) -> Any:
        """Add a batch and return the score of this batch alone. A batch that is refused changes nothing.

        The arguments are those of ``update``.
        """
        before = dict(vars(self))
        try:
            return super().forward(*args, **options)
        except BaseException:
            vars(self).update(before)
            raise

    def _check_given(self, preds: Any, target: Any) -> None:
        """Check that a batch is of tensors on the device of the metric."""
        if not (isinstance(preds, torch.Tensor) and isinstance(target, torch.Tensor)):
            kinds = f"{type(preds).__name__} and {type(target).__name__}"
            raise TypeError(f"preds and target must be tensors of PyTorch, got {kinds}")
        if target.device != self.settings.device:
            raise ValueError(
                f"preds and target must be on the device of the metric ({self.settings.device}), got {target.device}; "
                f"move the metric there by .to({str(target.device)!r})"
            )

    def _check_state(self, state: dict[str, Any]) -> None:
        super()._check_state(state)
        if "settings" in state and state["settings"].tolist() != self.settings.tolist():
            raise ValueError(
                f"state must be of a metric with the same {self._names_of_settings}, got that of one with others"
            )


def reduce_sums(parts: torch.Tensor) -> torch.Tensor:
    """The compensated sums of all processes."""
    total: torch.Tensor = functools.reduce(lambda x, y: add_sums(x, y, TORCH.xp), parts)
    return total


def as_host_array(x: torch.Tensor) -> Array:
    """A tensor as NumPy sees it, if it lies on the host."""
    view = TORCH.host_view(x)
    return x if view is None else view


def _the_same_settings(digests: torch.Tensor, names: str) -> torch.Tensor:
    """The bytes that stand for the settings, which must be the same in all processes."""
    if bool((digests != digests[0]).any()):
        raise ValueError(f"{names} must be the same in all processes, got different ones")
    return digests[0]


def _join_names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


# The options of ``torchmetrics.Metric``, which all metrics have.


class MetricOptions(TypedDict, total=False):
    """Options of ``torchmetrics.Metric``, by name and type."""

    compute_on_cpu: bool
    compute_with_cache: bool
    dist_sync_fn: Callable[..., Any] | None
    dist_sync_on_step: bool
    distributed_available_fn: Callable[[], bool] | None
    process_group: Any
    sync_on_compute: bool
