"""How stable the settings of a clustering method are whose runs are columns of ``adata.obs``."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from gpuval.anndata.columns import check_obs_column, read_clusterings, read_column_names, read_columns, title_of
from gpuval.anndata.stored import check_key_added, stability_tables
from gpuval.engines.backends import to_host
from gpuval.inputs.columns import texts_of_nothing
from gpuval.inputs.options import level_of_user
from gpuval.measures.result import rename_arguments
from gpuval.results.settings import Stability
from gpuval.sweeps.runs import Reader, setting_number, settings_of, titles_of_runs
from gpuval.sweeps.settings import stability as stability_of_labels

__all__ = ["stability"]


def stability(
    adata: Any,
    clusterings: str | Iterable[str],
    *,
    names: str | None = None,
    metrics: Any = ("ecs", "ari"),
    reference: Any = None,
    ignore_labels: Any = None,
    confidence_level: float = 0.95,
    margin: float = 0.0,
    n_pairs: int = 1_000_000,
    n_resamples: int = 999,
    random_state: Any = None,
    progress: bool = False,
    key_added: str | None = None,
    cells: Any = None,
) -> Stability:
    """How stable the clusterings of cells are at each setting, such as each resolution of Leiden.

    This is :func:`gpuval.stability` for columns of ``adata.obs``: cluster the cells several times at each resolution,
    on random subsamples or with other seeds, and keep the labels as columns such as "leiden_0.4_1", "leiden_0.4_2". If
    the object is backed by a file or read lazily, only the named columns are read. ``import gpuval.anndata`` also gives
    every AnnData the method ``adata.gpuval.stability(clusterings, ...)``.

    Parameters
    ----------
    adata
        An AnnData or a MuData of n_obs cells, or a view of one.
    clusterings
        The columns of ``adata.obs`` with the runs: a name, a shell pattern such as "leiden_*", or several of both, as
        in :func:`gpuval.anndata.evaluate`. A missing label is a cell that the run left out.
    names
        Where the setting and the run stand in the names of the columns, such as ``"leiden_{setting}_{run}"``. A column
        that ends behind the setting, such as "leiden_0.4", has labels of all cells, which are no run. The default fits
        columns that begin alike and end in ``_setting_run``.
    metrics
        As in :func:`gpuval.stability`.
    reference
        Of which labels the clusters are described: "medoid", the name of a run, or a mapping from settings to columns
        of ``adata.obs``, which no pattern then matches. The default is the labels of all cells where a setting has
        such, else the medoid.
    ignore_labels
        One label or several; cells that have it are left out of their run, too.
    confidence_level, margin, n_pairs, n_resamples, random_state, progress
        As in :func:`gpuval.stability`.
    key_added
        A key of ``adata.uns`` under which a dictionary is stored, which AnnData files can hold: the frames "settings"
        and "clusters" of ``to_pandas()``, with names as texts, the "sentence", and the "notes" in one text, a line
        each. An existing entry is overwritten. Not possible for a view, because anndata would copy the whole object.
    cells
        A setting, as a number or as text: the element-centric consistency of each cell at this setting is also stored,
        as a column of ``adata.obs`` that is called as ``key_added`` with "_consistency" behind it, for example to color
        a UMAP.

    Returns
    -------
    Stability
        A mapping from settings to :class:`gpuval.SettingStability`; prints as a table, and says what is sure.

    Raises
    ------
    TypeError, ValueError
        If there are no cells; if a name is not that of a column; if a column holds no labels; if ``key_added`` is given
        for a view; if ``cells`` is no setting, or given without ``key_added``; and as :func:`gpuval.stability` does.

    See Also
    --------
    gpuval.plots.plot_stability : Plots the result.
    gpuval.plots.plot_tree : Plots how clusters split from one setting to the next, in the colours of their stability.

    Examples
    --------
    Two runs of three at resolution 0.4 agree; at 1.0 all differ:

    >>> import anndata, pandas as pd
    >>> import gpuval.anndata
    >>> runs = {"leiden_0.4_1": "00001111", "leiden_0.4_2": "11110000", "leiden_0.4_3": "00001110"}
    >>> runs |= {"leiden_1.0_1": "00112233", "leiden_1.0_2": "01012323", "leiden_1.0_3": "01102332"}
    >>> obs = pd.DataFrame({name: list(x) for name, x in runs.items()}, index=[f"cell{i}" for i in range(8)])
    >>> adata = anndata.AnnData(obs=obs)
    >>> found = gpuval.anndata.stability(adata, "leiden_*", key_added="stability", cells=0.4)
    >>> list(found), found.best["ecs"].name
    ([0.4, 1.0], 0.4)
    >>> adata.uns["stability"]["settings"]["n_clusters"].to_dict()
    {'0.4': 2.0, '1.0': 4.0}
    >>> adata.obs["stability_consistency"].round(2).tolist()
    [0.87, 0.87, 0.87, 0.87, 0.83, 0.83, 0.83, 0.47]
    """
    known = read_column_names(adata)
    references = reference if isinstance(reference, Mapping) else {}
    for column in references.values():
        check_obs_column(column, "reference", known)
    check_key_added(adata, key_added)
    if cells is not None and key_added is None:
        raise ValueError(f"cells must not be given without key_added, which the column is called by, got {cells!r}")
    ignored = Reader.of(ignore_labels).ignored
    runs = read_clusterings(adata, clusterings, known, references.values(), ignored)
    chosen = None if cells is None else _find_setting(cells, [x.setting for x in settings_of(runs, names)])
    columns = read_columns(adata, references.values())
    given = {setting: columns[column] for setting, column in references.items()} or reference
    titles = {"labelings must": "clusterings must", **titles_of_runs(runs, names, title_of)}
    titles |= {f"reference[{setting!r}]": title_of(column) for setting, column in references.items()}
    with rename_arguments(**titles):
        found = stability_of_labels(
            runs,
            names=names,
            metrics=metrics,
            reference=given,
            ignore_labels=ignore_labels,
            confidence_level=confidence_level,
            margin=margin,
            n_pairs=n_pairs,
            n_resamples=n_resamples,
            random_state=random_state,
            progress=progress,
        )
    if key_added is not None:
        adata.uns[key_added] = stability_tables(found)
        if cells is not None:
            adata.obs[f"{key_added}_consistency"] = to_host(found[chosen].consistency)
    for text in texts_of_nothing(runs.values()):
        if text not in ignored:
            warnings.warn(
                f"clusterings have the label {text!r}, which counts as a cluster; ignore_labels={text!r} takes it for "
                "a cell that the run left out",
                stacklevel=level_of_user(),
            )
    return found


def _find_setting(cells: Any, settings: list[Any]) -> Any:
    """The setting that ``cells`` is, or is the number of: "0.4" and 0.4 are one setting."""
    number = setting_number(cells)
    for setting in settings:
        if cells == setting or (number is not None and number == setting_number(setting)):
            return setting
    raise ValueError(f"cells must be one of the settings {settings!r}, got {cells!r}")
