"""
A report
========

:func:`gpuval.report` makes one page of HTML: what was found in sentences, tables that you can sort, plots,
and where the best clustering fails. In a notebook it is shown below the cell; ``report.save("report.html")``
writes it to a file.
"""

from importlib.resources import files

import pandas as pd

import gpuval

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
X, labelings = cells.filter(like="PC_"), cells.filter(like="leiden_")

# %%

# sphinx_gallery_thumbnail_path = 'images/report.png'
gpuval.report(
    cells["bulk_labels"],
    labelings,
    X=X,
    by=cells["phase"],
    title="700 blood cells",
    random_state=0,
)
