"""Mathematics as MathML, made when the pages are: no script, and no address outside of the site."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from verify.site.mathematics.mathml import render

_logger = logging.getLogger(__name__)


def _html(node: nodes.Element, *, display: bool) -> str:
    found = render(node.astext(), display=display)
    if found.unknown:
        _logger.warning("unknown mathematics: %s", ", ".join(found.unknown), location=node)
    return found.html


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    writer.body.append(f'<span class="math">{_html(node, display=False)}</span>')
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula of its own; it scrolls where the page is narrow."""
    writer.body.append(
        f'<div class="math" tabindex="0" style="overflow-x: auto">{_html(node, display=True)}</div>\n'
    )
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Take the place of MathJax."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
