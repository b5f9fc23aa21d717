"""Plots are drawn without a screen, in matplotlib's own style, and every figure is closed again."""

import pytest


@pytest.fixture(autouse=True)
def _no_figure_is_left():
    import matplotlib  # only now: this file is also read where little but a GPU is there
    from matplotlib import pyplot

    pyplot.close("all")  # of tests elsewhere, which came before
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.use("Agg")
        yield
    left = pyplot.get_fignums()
    pyplot.close("all")
    assert left == []
