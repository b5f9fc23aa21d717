"""What a first score in a new process asks NVRTC to compile, and what that takes."""

import math
import time
from pathlib import Path

import numpy as np
import pytest
from nvrtc import compile_kernels

import gpuval
from cupy_on_cpu import compiler
from cupy_on_cpu.conftest import forget_kernels
from gpuval.engines.cuda import kernels

KERNELS = Path(__file__).parents[1] / "engines" / "cuda" / "kernels"
OF_ARI = ["gpuval::limits", "gpuval::joint_shared", "gpuval::margins", "gpuval::pair_sums", "gpuval::formula"]
OF_EVALUATE = [*OF_ARI[:-1], "gpuval::information_sums", "gpuval::expected_sums", "gpuval::overlap_sums", OF_ARI[-1]]
"""The first kernel of each text."""

KNOWN = KERNELS / "primitives.cu", ("match<double>", "shuffles<unsigned long long>", "reduces", "vectors", "swaps"), ()
KNOWN_TAKES = 0.12
"""Seconds of CPU that NVRTC takes for ``KNOWN`` on an idle machine: bounds are said in its seconds."""
BUSY = 1.4
"""On a machine where all processors are busy, long texts take so much longer beside ``KNOWN`` than on an idle one."""


@pytest.fixture
def first(library, monkeypatch, texts):
    """What is compiled by a score of labels of unknown size, of which nothing has been compiled before."""
    monkeypatch.setattr(compiler, "kind", "plain")
    labels = [library(x) for x in np.random.default_rng(0).integers(0, 10, (2, 5000))]
    texts.clear()
    forget_kernels()

    def compiled(score):
        score(*labels)
        return list(texts)

    return compiled


def heads(compiled):
    return [names[0].partition("<")[0] for _, _, names in compiled]


def test_each_text_is_compiled_once(first):
    of_ari = first(gpuval.adjusted_rand_score)
    assert sorted(heads(of_ari)) == sorted(OF_ARI)
    of_both = first(gpuval.evaluate)
    assert sorted(heads(of_both)) == sorted([*OF_EVALUATE, "gpuval::formula"])  # the arithmetic of all scores
    assert first(gpuval.evaluate) == of_both


def test_a_file_without_templates_is_compiled_as_a_whole(first):
    (of_pairs,) = (names for _, _, names in first(gpuval.rand_score) if "gpuval::pair_sums" in names)
    assert set(of_pairs) == {"gpuval::pair_sums", "gpuval::pair_parts"} == set(kernels.plain_kernels("pairs"))


@pytest.mark.parametrize("library", ["torch"], indirect=True)
@pytest.mark.parametrize(("score", "seconds"), [("adjusted_rand_score", 0.5), ("evaluate", 1.0)])
def test_it_does_not_take_long(score, seconds, first, tmp_path):
    compiled = first(getattr(gpuval, score))
    found = seconds_of(compiled, tmp_path, seconds)
    print(f"{score}: {len(compiled)} texts, {found:.2f} s of NVRTC")
    assert found <= seconds * BUSY


@pytest.mark.parametrize("library", ["torch"], indirect=True)
def test_what_takes_long_is_found(first, tmp_path):
    """Were each kernel compiled with all the others of its file, as a file's names once were, and without options."""
    compiled = first(gpuval.evaluate)
    one_by_one = [(code, ("--std=c++17",), names) for code, _, names in compiled for _ in names]
    assert seconds_of(one_by_one, tmp_path, math.inf) > 1.0 * BUSY


def seconds_of(texts, folder, bound):
    """Seconds of CPU that NVRTC takes for texts, by what it takes for ``KNOWN`` beside them: other programs slow both.

    Of several rounds, in which each may have the luck of an idle moment; no more of them once that is below the bound.
    """
    tasks = [KNOWN, *((folder / f"{i}.cu", names, options) for i, (_, options, names) in enumerate(texts))]
    for (path, _, _), (code, _, _) in zip(tasks[1:], texts, strict=True):
        path.write_text(code)
    least, found = [math.inf] * len(tasks), math.inf
    for _ in range(8):
        least = [min(known, taken(*task)) for known, task in zip(least, tasks, strict=True)]
        found = sum(least[1:]) / least[0] * KNOWN_TAKES
        if found <= bound:
            break
    return found


def taken(path, names, options):
    start = time.process_time()
    compile_kernels(path, names, "sm_90", ["-default-device", *(x for x in options if "std" not in x)])
    return time.process_time() - start
