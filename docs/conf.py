"""How the site is built: ``python -m sphinx -W --keep-going docs site`` in a clone, with the extra ``docs``."""

import os
import sys
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT), str(DOCS / "_ext")]
# The kernels that run the cells of pages import the package of this clone, too.
os.environ["PYTHONPATH"] = os.pathsep.join(x for x in (str(ROOT), os.environ.get("PYTHONPATH")) if x)

import gpuval  # noqa: E402

project = "gpuval"
author = "The gpuval developers"
copyright = author  # noqa: A001
release = version = gpuval.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "accessible_html",
    "api_pages",
    "benchmark_pages",
    "flowchart",
    "repository",
    "site_links",
]
exclude_patterns = ["_*", "images", "gallery", "auto_gallery/*.ipynb", "**/.ipynb_checkpoints"]
nitpicky = True

# Markdown, and the cells that run
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 300
nb_merge_streams = True

# The API, from docstrings
autodoc_typehints = "signature"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
python_display_short_literal_types = True
python_maximum_signature_line_length = 88
add_module_names = True
toc_object_entries = False

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "backreferences_dir": None,
    "doc_module": ("gpuval",),
    "reference_url": {"gpuval": None},
    "download_all_examples": False,
    "notebook_extensions": set(),
    "image_srcset": ["2x"],
    "ignore_repr_types": r"matplotlib\.axes",
    "min_reported_time": 600,
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}

copybutton_prompt_text = r">>> |\.\.\. "  # examples are copied without prompts and results
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "gpuval"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "gpuval", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "github_url": "https://github.com/gpuval/gpuval",
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "article_header_end": [],
    "secondary_sidebar_items": ["page-toc"],
}
html_sidebars = {"index": [], "first-steps": [], "which-measure": []}
