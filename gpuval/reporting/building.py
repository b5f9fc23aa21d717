"""``gpuval.report``: from labels to a page."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from threading import RLock
from typing import Any, Literal

from gpuval import __version__
from gpuval.display.digits import count_text
from gpuval.display.tables import label_text
from gpuval.display.text import visible
from gpuval.inputs.containers import read_again
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.measures.requests import Metrics
from gpuval.reporting.content import Content
from gpuval.reporting.coordinates import Coordinates, read_coordinates
from gpuval.reporting.findings import ReportRequest, score_labelings
from gpuval.reporting.page import Report, check_rendering, data_section, fill_template, read_path, versions
from gpuval.reporting.sentences import name_of_series, name_text
from gpuval.reporting.verdict_block import verdict_block
from gpuval.results.references import NO_REFERENCES, References
from gpuval.results.scores import number_of_labels
from gpuval.results.settings import Stability

__all__ = ["report"]

_COLOR = re.compile("#[0-9a-fA-F]{6}")

_ONE_AT_A_TIME = RLock()
"""Settings of matplotlib and filters of warnings are those of the process: reports of several threads take turns."""


def report(
    labels_true: Any,
    labelings: Any,
    *,
    X: Any = None,
    coordinates: Any = None,
    by: Any = None,
    groups: Any = None,
    metrics: Metrics = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 999,
    random_state: Any = 0,
    details: Any = None,
    stability: Stability | None = None,
    sample_size: int | Literal["auto"] | None = "auto",
    unit: str = "sample",
    colors: Mapping[Any, str] | None = None,
    title: str | None = None,
    about: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Report:
    """Make an HTML page about clusterings: what was found in words, scores with intervals, plots, and each class.

    The page is one file that needs no network and no other files, also for phones and for print. It says which labeling
    agrees best, and whether that is more than noise (:class:`Verdict`); shows the scores, marking only what is told
    apart; how they differ between groups of samples, such as batches; and for the labeling that is named first which
    classes are split and which clusters merge classes. It needs the extra ``report``.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,); if it is a Series, the page shows its name. Several references by
        their names, as in :func:`evaluate`: classes are then those of the one that a labeling fits best (of the first
        one, if there are internal measures only). None, together with ``X``, for internal measures only.
    labelings
        A mapping from names to label vectors (a dictionary, or a DataFrame of pandas or polars), a sequence of label
        vectors, or one Series with a name.
    X
        The samples, shape (n_samples, n_features), for internal measures and silhouettes. Two columns are drawn as
        features, with numbers on the axes; give an embedding as ``coordinates``, too.
    coordinates
        Where the samples are drawn, such as a UMAP, shape (n_samples, 2); the names of the columns of a DataFrame are
        those of the axes. By default the first two columns of ``X``. Nothing is computed from them.
    by
        A value of each sample, such as its batch: the leading measure is also shown for each value. If this is a
        silhouette of samples drawn at random, the next measure is shown instead.
    groups
        The group of each sample, such as its donor: intervals then say how scores would vary with other groups, not
        with other samples of the same groups.
    metrics
        As in :func:`evaluate`; the verdict is by the first three that have a better direction and are no half of a pair
        (as homogeneity is), and the first of these orders the labelings. By default they are the usual measures and
        :func:`normalized_clustering_accuracy`, and the verdict is by AMI, ARI and the latter.
    sample_weight, ignore_labels
        As in :meth:`Contingency.from_labels`.
    confidence_level, n_resamples, random_state
        As in :func:`evaluate`; internal scores have no intervals. ``random_state`` is also the seed for the samples
        that are drawn for silhouettes. By default, a report is the same each time.
    details
        The name of a labeling, or several: each class and each cluster is shown for these. By default the labeling
        that the verdict names first.
    stability
        What :func:`stability` returns for several runs of each setting of the clustering method: the page also says how
        stable the settings and their clusters are.
    sample_size
        How many samples to compute silhouettes for, drawn at random if there are more: the time grows with this number
        times the number of samples. None for all samples. "auto" for 500 if there are more than 10,000 samples, else
        for all.
    unit
        What the page calls one sample, such as "cell".
    colors
        A mapping from classes to colours, such as ``{"B cell": "#0072b2"}``; classes that are not in it are grey. By
        default, and if it is empty, the largest classes have colours that all eyes tell apart.
    title
        The title of the page.
    about
        A mapping with further facts about the data to show, such as ``{"file": "cells.h5ad"}``.
    output
        A file to write the page to.
    progress
        Whether to show progress bars (tqdm) for internal measures that compare all pairs of samples.

    Returns
    -------
    Report
        It has ``html``, ``summary`` and ``scores``. ``save(path)`` writes it into a file, ``open()`` shows it in a
        browser, and a notebook shows it as it is.

    Raises
    ------
    TypeError, ValueError
        As :func:`compare` does; if ``details`` are not names of labelings; if ``title`` is not a text.
    ImportError
        If the extra ``report`` is not installed.

    Notes
    -----
    Two partitions disagree on a pair of samples that is together in only one of them. The share of a class in this
    disagreement is that of its pairs which the labeling separates. The share of a cluster is that of its pairs of
    different classes.

    Examples
    --------
    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1] * 20
    >>> labelings = {"right": [1, 1, 1, 0, 0, 0] * 20, "coarse": [0, 0, 0, 0, 1, 1] * 20}
    >>> found = gpuval.report(truth, labelings, metrics=["ami", "ari"])
    >>> found.summary[0]
    'right agrees best, however you count: AMI 1.00, ahead of coarse by 0.52 (0.40–0.65).'
    >>> found.html.startswith("<!DOCTYPE html>")
    True
    """
    check_rendering()
    _check_texts(title, unit, about)
    if stability is not None and not isinstance(stability, Stability):
        raise TypeError(f"stability must be what gpuval.stability returns, got {type(stability).__name__}")
    path = None if output is None else read_path(output, "output")
    named = _labelings_by_name(labelings)
    listed = _details(details, named)
    truths = NO_REFERENCES if labels_true is None else References.read(read_again(labels_true))
    truth = label_text(name_of_series(truths.first, "true labels")) if truths.vectors else None
    if truths.names is not None:
        truth = f"the best of {len(truths.names)} reference{'s' * (len(truths.names) != 1)}"
    given = ReportRequest(
        truths=truths,
        labelings=named,
        X=X,
        by=by,
        groups=groups,
        coordinates=_read(coordinates, named),
        metrics=metrics,
        sample_weight=read_again(sample_weight),
        ignore_labels=LabelsToIgnore.read(ignore_labels),
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        random_state=random_state,
        sample_size=sample_size,
        progress=progress,
        colors=_read_colors(colors),
    )
    notes: list[str] = []
    with _ONE_AT_A_TIME, _notes_in(notes):
        asked = given.with_measures()
        comparison = score_labelings(asked)
        comparison.subject = comparison.subject._replace(unit=visible(unit))
        ignored = replace(given.ignore_labels, are_checked=True)  # with all labelings: one alone may hold none of these
        asked = replace(asked, given=replace(asked.given, ignore_labels=ignored))
        content = Content(
            asked, comparison, truth, label_text(name_of_series(by, "group")), visible(unit), listed, stability
        )
        sections = content.sections()
        block = verdict_block(content.verdict, content.scores, content.unit, {"data", *(x.key for x in sections)})
    of_packages = versions()
    created = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    page = {
        "title": visible(title or _title(truth)),
        "subtitle": _subtitle(content, created[:10]),
        "verdict": block,
        "sections": [*sections, data_section(content, about or {}, notes, of_packages)],
        "versions": of_packages,
        "created": created,
    }
    found = Report(fill_template(page), content.summary, comparison)
    if path is not None:
        found.save(path)
    return found


def _read(coordinates: Any, labelings: Mapping[Any, Any]) -> Coordinates | None:
    """The coordinates that are given; None if there are none."""
    if coordinates is None:
        return None
    return read_coordinates(coordinates, number_of_labels(next(iter(labelings.values()))))


def _read_colors(colors: Any) -> dict[Any, str] | None:
    """The colours of classes; None if there are none."""
    if colors is None:
        return None
    if not isinstance(colors, Mapping):
        raise TypeError(f"colors must be a mapping from classes to colours, got {type(colors).__name__}")
    for label, color in colors.items():
        if not isinstance(color, str) or not _COLOR.fullmatch(color):
            raise ValueError(f"colors must be of the form '#0072b2', got {color!r} for class {label!r}")
    return dict(colors) or None


def _check_texts(title: Any, unit: Any, about: Any) -> None:
    if not isinstance(unit, str):
        raise TypeError(f"unit must be a text, got {type(unit).__name__}")
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a text, got {type(title).__name__}")
    if about is not None and not isinstance(about, Mapping):
        raise TypeError(f"about must be a mapping from names to texts, got {type(about).__name__}")


def _labelings_by_name(labelings: Any) -> Mapping[Any, Any]:
    """The labelings by their names; a single Series has its own name."""
    is_vector = hasattr(labelings, "to_frame") or getattr(labelings, "ndim", None) == 1
    if is_vector and not isinstance(labelings, Sequence | Mapping):
        return {name_of_series(labelings, "labeling"): labelings}
    names, vectors = labelings_by_name(labelings)
    return dict(zip(names, vectors.values(), strict=True))


def _details(details: Any, labelings: Mapping[Any, Any]) -> list[Any] | None:
    """The names of the labelings that are shown in detail; None for the best one."""
    if details is None:
        return None
    names = list(labelings)
    is_one = isinstance(details, str | tuple) or not isinstance(details, Iterable)
    listed = [details] if is_one else list(details)
    for name in listed:
        if name not in names:
            raise ValueError(f"details must be names of labelings, got {name!r}, and there are {_few(labelings)}")
    return list(dict.fromkeys(listed))


def _few(labelings: Mapping[Any, Any]) -> str:
    names = [repr(name) for name in labelings]
    return ", ".join(names[:5] + ["..."] * (len(names) > 5))


def _title(truth: str | None) -> str:
    return "Clusterings" if truth is None else f"Clusterings against {truth}"


def _subtitle(content: Content, created: str) -> str:
    """What is compared, and how much there is of it."""
    n = len(content.scores.names)
    counts = content.comparison[content.chosen].counts or {}
    said = f"{n} labeling{'s' * (n != 1)}"
    if "n_samples" in counts:
        said += f" of {count_text(counts['n_samples'])} {content.units}"
    if content.truth is not None:
        n_classes = counts.get("n_classes", 0)
        said += f" against {name_text(content.truth)}"
        said += f" ({count_text(n_classes)} class{'es' * (n_classes != 1)})" * (not content.references)
    return f"{said} \N{MIDDLE DOT} gpuval {__version__}, {created}"


@contextmanager
def _notes_in(notes: list[str]) -> Iterator[None]:
    """Within this context, warnings of the library become notes of the page; other warnings are passed on."""
    told: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            yield
    finally:
        notes += dict.fromkeys(str(x.message) for x in told if x.category is UserWarning)
        for one in told:
            if one.category is not UserWarning:
                warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
