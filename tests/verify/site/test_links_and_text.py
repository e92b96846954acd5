"""Every page of the site: links lead to something inside, mathematics is rendered, names are unique."""

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import theory
from theory.formula import text_of
from verify.statements.refusals.assumed import in_prose

CODE = ("code", "pre", "script", "style")


class Page(HTMLParser):
    """Links, places, and text outside code of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.text, self.spoken = [], [], [], []
        self._code = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        self._code += tag in CODE
        for name, value in attrs:
            if name in ("href", "src"):
                self.links.append(value)
            elif name == "id":
                self.places.append(value)
            elif name in ("alt", "aria-label", "title"):
                self.spoken.append(value)

    def handle_endtag(self, tag):
        self._code -= tag in CODE

    def handle_data(self, data):
        if not self._code:
            self.text.append(data)


@pytest.fixture(scope="module")
def pages(site):
    """Return all pages of the site by their files."""
    return {path: Page(path) for path in site.rglob("*.html")}


def test_there_is_a_page_for_all_that_has_a_name(site, pages):
    import impl.compressors

    found = {path.relative_to(site).as_posix() for path in pages}
    assert {f"claims/{entry.id}.html" for entry in theory.entries()} <= found
    assert {f"papers/{paper.name}.html" for paper in theory.papers()} <= found
    assert "compressors/StochasticQuantizer.html" in found
    assert len([name for name in found if name.startswith("compressors/")]) > 10
    assert {"methods/diana_plus.html", "methods/marina.html", "run.html", "findings.html"} <= found
    assert hasattr(impl.compressors, "StochasticQuantizer")


def test_no_link_leads_outside_or_nowhere(site, pages):
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            file, _, place = link.partition("#")
            target = Path(path.parent, file).resolve() if file else path
            if ":" in link or link.startswith("/") or not target.is_relative_to(site.resolve()):
                wrong.append(f"{path}: {link} is outside")
            elif not target.is_file():
                wrong.append(f"{path}: {link} is no file")
            elif place and "=" not in place and target in pages and place not in pages[target].places:
                wrong.append(f"{path}: {link} is no place")
    assert not wrong


def test_static_files_name_no_address(site):
    for file in (site / "static").iterdir():
        text = re.sub(r'xmlns="[^"]*"', "", file.read_text(encoding="utf-8"))
        assert "://" not in text, file


def test_no_mathematics_is_left_as_latex(pages):
    wrong = [
        f"{path}: {text.strip()[:80]}"
        for path, page in pages.items()
        if "source" not in path.parts
        for text in (*page.text, *page.spoken)
        if "$" in text or "\\" in text
    ]
    assert not wrong


def test_places_of_a_page_have_names_of_their_own(pages):
    assert not [path for path, page in pages.items() if len(set(page.places)) < len(page.places)]


def test_blackboard_letters_are_characters(site):
    text = (site / "claims" / "squant" / "var.html").read_text(encoding="utf-8")
    assert "<math" in text
    assert "𝔼" in text
    assert "mathvariant" not in re.sub(r'mathvariant="normal"', "", text)


def test_the_site_is_small(site):
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < 25e6


def test_hypotheses_in_prose_have_their_formulas(site):
    """Of `ndqsg/dqsg-variance`, whose law is in words; what is read from its words stands there once."""
    claim = theory.claim("ndqsg/dqsg-variance")
    text = (site / "claims" / "ndqsg" / "dqsg-variance.html").read_text(encoding="utf-8")
    shown = dict(
        re.findall(r'<li id="hypothesis-([\w-]+)">(.*?)(?=<li id="hypothesis|</section>)', text, re.DOTALL)
    )
    prose = in_prose(claim)
    assert prose
    assert prose < claim.hypotheses.keys()
    for name, item in claim.hypotheses.items():
        formulas = [html.escape(text_of(formula)) for formula in item.formulas]
        assert all((formula in shown[name]) == (name in prose) for formula in formulas), name
