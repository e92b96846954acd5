"""Sphinx: pages in Markdown, the API from docstrings, verbs and records from the code (`make docs`)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from verify.version import VERSION

project = "boundcheck"
author = "The boundcheck authors"
release = VERSION
html_title = f"boundcheck {release}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "plain_docstrings",
    "generated_pages",
    "mathml",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_ext"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
html_math_renderer = "mathml"
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_show_copyright = False
