"""How the site is built: ``python -m sphinx -W docs site`` from the root of a clone, with the extra `docs`."""

import gpuval

project = "gpuval"
author = "The gpuval developers"
release = version = gpuval.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
html_theme = "pydata_sphinx_theme"
exclude_patterns = ["images/*", "_build"]
