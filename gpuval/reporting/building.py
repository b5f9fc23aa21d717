"""``gpuval.report``: from labels to a page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import RLock
from typing import Any, Literal

from gpuval.display.label_tables import label_text
from gpuval.display.safe_text import visible
from gpuval.evaluation.clustering.arguments import Metrics
from gpuval.inputs.labels import named_labelings
from gpuval.reporting.found.asked import AskedOfReport
from gpuval.reporting.found.scoring import scored
from gpuval.reporting.page.content import Content
from gpuval.reporting.page.facts import facts_of
from gpuval.reporting.page.rendering import check_rendering, filled_template
from gpuval.reporting.page.versions import versions
from gpuval.reporting.paths import checked_path
from gpuval.reporting.result import Report
from gpuval.reporting.words.names import enumerated, name_of_series

__all__ = ["report"]

_ONE_AT_A_TIME = RLock()
"""Settings of matplotlib and filters of warnings are those of the process: reports of several threads take turns."""


def report(
    labels_true: Any,
    labelings: Any,
    *,
    X: Any = None,
    by: Any = None,
    groups: Any = None,
    metrics: Metrics = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 999,
    random_state: Any = 0,
    details: Any = None,
    sample_size: int | Literal["auto"] | None = "auto",
    title: str | None = None,
    about: Mapping[str, Any] | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Report:
    """Make a page about clusterings: what was found in words, the scores with their intervals, plots, and each class.

    One HTML file that needs no network and no other file; its tables are sorted by a press on a head. It says which
    labeling is best and whether by more than noise, how the labelings agree with each other, how scores differ between
    batches, and of the best labeling which classes are split and which clusters merge some. Needs the extra ``report``.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,); a Series has its name in the page. None with ``X``: internal measures
        alone.
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), a sequence of label vectors,
        or one Series with a name.
    X
        Samples, shape (n_samples, n_features), for internal measures and silhouettes.
    by
        A value of each sample, such as its batch: the first measure is shown for each value, too, or the next one in
        the place of silhouettes of samples that are drawn.
    groups
        The group of each sample, such as its donor: intervals are of other groups, not of other samples of these.
    metrics
        As for :func:`evaluate`. The first that is better one way puts the labelings in order.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`.
    confidence_level, n_resamples, random_state
        As for :func:`evaluate`; internal scores have no intervals. ``random_state`` also seeds what is drawn for
        silhouettes; by default a report is the same each time.
    details
        The name of a labeling, or several, of which each class and each cluster is shown; by default the best one.
    sample_size
        How many samples silhouettes are found of, at random, where there are more: their time grows with this number
        times that of the samples. None for all; "auto" for 500 where there are more than 10,000, else all.
    title
        The title of the page.
    about
        What else is to be said of the data, by its name, such as ``{"file": "cells.h5ad"}``.
    output
        A file to write the page into.
    progress
        Whether to show bars, of tqdm, for internal measures that look at all pairs of samples.

    Returns
    -------
    Report
        It has ``html``, ``summary`` and ``scores``, is saved by ``save(path)``, shown in a browser by ``open()``, and
        in a notebook by itself.

    Raises
    ------
    TypeError, ValueError
        As :func:`compare`; details that are no labelings, or a title that is no text.
    ImportError
        Without the extra ``report``.

    Notes
    -----
    Two samples disagree that are together in one of two partitions alone. The share of a class in this disagreement is
    that of its pairs that the labeling takes apart, the share of a cluster that of its pairs of different classes.

    Examples
    --------
    >>> import gpuval
    >>> truth, labelings = [0, 0, 0, 1, 1, 1] * 9, {"few": [0, 0, 0, 0, 1, 1] * 9, "many": [0, 0, 1, 2, 3, 3] * 9}
    >>> found = gpuval.report(truth, labelings, metrics=["homogeneity", "ari"])
    >>> found.summary[0]
    'many agrees best with “true labels”: homogeneity 1.000 [1.000, 1.000]; it is ahead of few by 0.541 [0.352, 0.729].'
    >>> found.html.startswith("<!DOCTYPE html>")
    True
    """
    check_rendering()
    _check_texts(title, about)
    path = None if output is None else checked_path(output, "output")
    named = _named(labelings)
    listed = _details(details, named)
    truth = None if labels_true is None else label_text(name_of_series(labels_true, "true labels"))
    given = AskedOfReport(
        labels_true=labels_true,
        labelings=named,
        X=X,
        by=by,
        groups=groups,
        metrics=metrics,
        sample_weight=sample_weight,
        ignore_labels=ignore_labels,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        random_state=random_state,
        sample_size=sample_size,
        progress=progress,
    )
    notes: list[str] = []
    with _ONE_AT_A_TIME, _notes_in(notes):
        asked = given.with_measures()
        comparison = scored(asked)
        content = Content(asked, comparison, truth, label_text(name_of_series(by, "group")))
        content.add_scores()
        if by is not None:
            content.add_apart()
        if len(named) > 1:
            content.add_pairs()
        for name in [content.best] if listed is None else listed:
            content.add_details(name)
    of_packages = versions()
    page = {
        "title": visible(title or _title(truth)),
        "subtitle": _subtitle(content),
        "summary": content.summary,
        "sections": content.sections,
        "facts": facts_of(content, about or {}, notes, of_packages),
        "versions": of_packages,
        "created": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    found = Report(filled_template(page), content.summary, comparison)
    if path is not None:
        found.save(path)
    return found


def _check_texts(title: Any, about: Any) -> None:
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a text, got {type(title).__name__}")
    if about is not None and not isinstance(about, Mapping):
        raise TypeError(f"about must be a mapping from names to texts, got {type(about).__name__}")


def _named(labelings: Any) -> Mapping[Any, Any]:
    """The labelings by their names; one by itself has the name of the Series that it is."""
    is_vector = hasattr(labelings, "to_frame") or getattr(labelings, "ndim", None) == 1
    if is_vector and not isinstance(labelings, Sequence | Mapping):
        return {name_of_series(labelings, "labeling"): labelings}
    names, vectors = named_labelings(labelings)
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


def _subtitle(content: Content) -> str:
    """How many labelings, samples and classes there are."""
    shown = content.scores[content.best]
    n_labelings = len(content.scores)
    said = [f"{n_labelings} labeling{'s' * (n_labelings != 1)}"]
    said += [f"{shown.samples} samples"] * bool(shown.samples)
    if "n_classes" in shown.counts:
        said.append(f"{shown.counts['n_classes']} classes")
    return enumerated(said)


@contextmanager
def _notes_in(notes: list[str]) -> Iterator[None]:
    """Within, what the library warns of is added to notes, which stand in the page; what others warn of is told on."""
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
