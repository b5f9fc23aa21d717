"""Which measures go up or down with one number, if the class and cluster sizes are fixed: these share its p-value.

With fixed sizes all pair counts follow from T, the pairs together in both partitions, and all entropies from the mutual
information.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Statistic = Literal["pairs", "information"]

_IN_PAIRS = {
    "adjusted_fowlkes_mallows_score": 1,
    "adjusted_rand_score": 1,
    "adjusted_wallace_score": 1,
    "fowlkes_mallows_score": 1,
    "hubert_gamma_score": 1,
    "mirkin_distance": -1,
    "pair_braun_blanquet_score": 1,
    "pair_f_score": 1,
    "pair_inclusion_score": 1,
    "pair_jaccard_score": 1,
    "pair_kulczynski_score": 1,
    "pair_ochiai_score": 1,
    "pair_precision_score": 1,
    "pair_recall_score": 1,
    "pair_simpson_score": 1,
    "rand_score": 1,
    "rogers_tanimoto_score": 1,
    "russell_rao_score": 1,
    "sokal_sneath_score": 1,
    "standardized_rand_score": 1,
    "wallace_score": 1,
}

_IN_INFORMATION = {
    "adjusted_mutual_info_score": 1,
    "completeness_score": 1,
    "conditional_entropy": -1,
    "homogeneity_score": 1,
    "mutual_info_score": 1,
    "normalized_information_distance": -1,
    "normalized_mutual_info_score": 1,
    "normalized_variation_of_information": -1,
    "v_measure_score": 1,
    "variation_of_information": -1,
}

MONOTONE: Mapping[str, tuple[Statistic, int]] = {
    **{name: ("pairs", sign) for name, sign in _IN_PAIRS.items()},
    **{name: ("information", sign) for name, sign in _IN_INFORMATION.items()},
}
"""By the name of a measure: in what it is monotone, and 1 where it goes up with it, -1 where it goes down.

Those that go down are better the lower they are, so that better is always more of it.
"""
