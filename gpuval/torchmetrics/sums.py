"""What metrics of torchmetrics have in common that hold sums: where these go, how they are loaded, and how plotted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuval.inputs.options import needed
from gpuval.streaming.checkpoints import check_names, read_array

with needed("gpuval.torchmetrics", "torchmetrics"):
    import torch
    import torchmetrics
    from torchmetrics.utilities.plot import plot_single_or_multi_val


class MetricOfSums(torchmetrics.Metric):
    """A metric whose states are sums, which are checked before they are loaded or merged, and keep their types."""

    full_state_update = False

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot a score, or several: what ``compute`` or ``forward`` gave, or a list of that.

        Parameters
        ----------
        val
            What to plot; by default what ``compute`` gives.
        ax
            Axes of matplotlib to plot on.

        Returns
        -------
        tuple
            The figure and the axes.
        """
        with needed("plot()", "plot"):
            import matplotlib  # noqa: F401
        val = self.compute() if val is None else val
        return plot_single_or_multi_val(
            val, ax=ax, higher_is_better=self.higher_is_better, name=", ".join(self._titles)
        )

    @property
    def _titles(self) -> list[str]:
        """What the scores are called."""
        raise NotImplementedError

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], *args: Any, **options: Any) -> Any:
        """Go to another device, and to no other type: sums are to stay exact."""

        def moved(x: torch.Tensor) -> torch.Tensor:
            y = fn(x)
            return y if y.dtype == x.dtype else x.to(y.device)

        return super()._apply(moved, *args, **options)

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *args: Any) -> None:
        names = [name for name in self._defaults if f"{prefix}{name}" in state_dict]
        state = {name: state_dict[f"{prefix}{name}"] for name in names}
        self._check_state(state)
        devices = {name: getattr(self, name).device for name in names}
        super()._load_from_state_dict(state_dict, prefix, *args)
        for name in names:  # what is loaded is the state's own memory
            setattr(self, name, state[name].to(devices[name], copy=True))
        self._computed = None

    def _reduce_states(self, incoming_state: dict[str, Any]) -> None:
        check_names(incoming_state, self._defaults)
        self._check_state({name: incoming_state[name] for name in self._defaults})
        super()._reduce_states(incoming_state)
        self._computed = None

    def _check_state(self, state: dict[str, Any]) -> None:
        """Check that states, all or some, are those of a metric with the same settings."""
        for name in state:
            own = getattr(self, name)
            if read_array(state, name, tuple(own.shape)).dtype != own.dtype:
                raise ValueError(f"state must have {name} of {own.dtype}, got {state[name].dtype}")
