"""Pages from templates: escaped, with relative links only."""

from __future__ import annotations

import functools
from collections.abc import Collection
from pathlib import Path
from typing import Any

from verify.errors import UsageError
from verify.site.mathematics.prose import prose

TEMPLATES = Path(__file__).with_name("templates")


class Pages:
    """Renders the pages of one site.

    Args:
        claims: Ids of the claims that have a page.

    Raises:
        UsageError: jinja2 is missing.
    """

    def __init__(self, claims: Collection[str]) -> None:
        self._claims = frozenset(claims)
        self._environment = _environment()

    def render(self, template: str, page: str, **values: Any) -> str:
        """Return the HTML of a page.

        Args:
            template: Name of the template.
            page: Its file within the site, from which links are relative.
            values: What the template shows.
        """
        root = "../" * page.count("/")
        text = functools.partial(self._prose, root)
        return str(
            self._environment.get_template(template).render(root=root, prose=text, page=page, **values)
        )

    def _prose(self, root: str, text: str) -> Any:
        from markupsafe import Markup

        return Markup(prose(text, lambda code: self._link(root, code)))

    def _link(self, root: str, code: str) -> str | None:
        return f"{root}claims/{code}.html" if code in self._claims else None


@functools.cache
def _environment() -> Any:
    try:
        import jinja2
    except ImportError:
        raise UsageError(
            "the report needs jinja2, which is not installed; pip install 'boundcheck[report]'"
        ) from None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.filters["slug"] = slug
    environment.filters["verdict_class"] = lambda verdict: (
        "v-" + str(verdict).replace(" ", "-").replace("_", "-")
    )
    environment.filters["spaced"] = lambda text: str(text).replace("_", " ")
    return environment


def number(value: Any, digits: int = 6) -> str:
    """Return a number for readers, a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, int):
        return str(value)
    return f"{value:.{digits}g}"


def slug(text: str) -> str:
    """Return a text as the name of a place in a page; different texts may share one only by their signs."""
    return "".join(character if character.isalnum() else "-" for character in str(text))
