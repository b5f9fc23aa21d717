"""Messages that call arguments by other names: those of gpuval alone."""

import pytest

import gpuval
from gpuval.inputs.options import check_flag
from gpuval.measures.result import hide_ignore_advice, rename_arguments


def test_a_message_of_gpuval_has_the_other_names():
    with pytest.raises(TypeError, match="the flag must be True or False, got 1"), rename_arguments(X="the flag"):
        check_flag("X", 1)


@pytest.mark.parametrize("error", [TypeError, ValueError])
def test_a_message_of_anybody_else_stays(error):
    """A user's measure that spoke of X or of labels_true was said to speak of columns of AnnData."""
    message = "X must be good, and labels_true; give ignore_labels="

    def measure(table):
        raise error(message)

    labels = [0, 0, 1, 1]
    with (
        pytest.raises(error) as raised,
        rename_arguments(X="adata.X", labels_true="adata.obs['a']"),
        hide_ignore_advice(),
    ):
        gpuval.evaluate(labels, labels, measure)
    assert str(raised.value) == message


def test_a_message_reads_well_with_the_other_name():
    labels, weights = [0, 0, 1, 1], [0.5, 1.5, 1.0, 1.0]
    message = r"the number of samples is not known; use weights of an integer type$"
    with pytest.raises(ValueError, match=message), rename_arguments(sample_weight="adata.obs['w']"):
        gpuval.evaluate(labels, labels, ["ari"], sample_weight=weights, confidence_level=0.9)
