"""Draws the pictures of this folder: ``python docs/images/draw.py``.

It needs Chromium, and the extras ``report`` and ``browser``.
"""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from matplotlib import style

import gpuval
from gpuval import plots

HERE = Path(__file__).parent


def draw_plots(cells: pd.DataFrame) -> None:
    """One picture of each plot."""
    types, sweep = cells["bulk_labels"], cells.filter(like="leiden_")
    labels, X = cells["leiden_0.4"], cells.filter(like="PC_").to_numpy()
    table = gpuval.Contingency.from_labels(types, labels)
    precision = gpuval.cluster_precision(table)
    metrics = ["ami", "ari", "nca", "homogeneity", "completeness"]
    scores = gpuval.compare(types, sweep, metrics, confidence_level=0.95, random_state=0)
    with style.context("default"):
        drawn = {
            "sweep": plots.plot_sweep(scores, metrics),
            "tree": plots.plot_tree(sweep, types),
            "embedding": plots.plot_embedding(cells[["PC_2", "PC_3"]], types, labels)[0],
            "confusion": plots.plot_confusion(types, labels),
            "agreement": plots.plot_agreement({"bulk_labels": types, **sweep}, truth="bulk_labels"),
            "flow": plots.plot_flow(types, labels),
            "label_scores": plots.plot_label_scores(precision, table, score_name="precision", mean_name="purity"),
            "silhouette": plots.plot_silhouette(X, labels, labels_true=types),
        }
        for name, ax in drawn.items():
            ax.figure.savefig(HERE / f"{name}.png", dpi=75)


def draw_report(cells: pd.DataFrame) -> None:
    """The beginning of the page of ``gpuval demo --report``, light and dark."""
    from playwright.sync_api import sync_playwright

    options = {"X": cells.filter(like="PC_"), "by": cells["phase"], "unit": "cell", "title": "700 blood cells"}
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        gpuval.report(cells["bulk_labels"], cells.filter(like="leiden_"), **options, output=path)
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, scheme in (("report", "light"), ("report-dark", "dark")):
            page = chromium.new_page(viewport={"width": 1100, "height": 1010}, color_scheme=scheme)
            page.goto(path.as_uri())
            page.screenshot(path=HERE / f"{name}.png")
        chromium.close()


if __name__ == "__main__":
    found = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
    draw_plots(found)
    draw_report(found)
