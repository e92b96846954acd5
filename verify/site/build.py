"""Build the site: states and pages of claims in several processes, everything else in this one."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import theory
from theory.reading.roots import OWN, use, used
from verify.errors import UsageError
from verify.records.folder import DEFAULT_FOLDER
from verify.running.selection import problem_lines, select_entries
from verify.site import sources
from verify.site.claim_state import read_state, summarise
from verify.site.figures import FigureFile, find_figures, resting_on
from verify.site.folder import check_place, new_site
from verify.site.pages.claim import claim_values
from verify.site.pages.paper import sentences
from verify.site.pages.run import run_values
from verify.site.pages.start import WORDS, facets, glance, search_script, verdicts_of
from verify.site.pages.unit import compressors, methods, unit_values
from verify.site.summary import ClaimSummary
from verify.site.templating import Pages
from verify.version import VERSION

STATIC = Path(__file__).with_name("static")
DEFAULT_SITE = "site"
DEFAULT_FIGURES = "paper_figures"
CHUNK = 4
"""Claims that a process takes at once."""

_SOURCE = re.compile(r'href="(?:\.\./)*source/([^"#]+)\.html(?:#L\d+)?"')


@dataclass(frozen=True)
class SiteReport:
    """What was built.

    Args:
        index: The start page.
        pages: Number of pages.
        claims: Number of claims by what the site says of them.
        problems: What is wrong with files and records, one line each.
    """

    index: Path
    pages: int
    claims: dict[str, int]
    problems: tuple[str, ...]


def build_site(
    patterns: Iterable[str] | str = ("*",),
    *,
    out: str | Path = DEFAULT_SITE,
    records: str | Path = DEFAULT_FOLDER,
    figures: str | Path = DEFAULT_FIGURES,
    force: bool = False,
    jobs: int = 1,
) -> SiteReport:
    """Write the site of the claims that match the patterns.

    Args:
        patterns: Claim ids or shell patterns.
        out: Folder of the site; a report that is there already is replaced.
        records: Folder of the records.
        figures: Folder of the figures, `PAPER/NAME.png` with PDF, CSV and caption beside it.
        force: Replace also a folder that is no report.
        jobs: Number of processes; -1 takes all cores.

    Raises:
        UsageError: A bad argument, or jinja2 is missing.
        OutputFolderError: The folder cannot be written, or has files that are no report.
        UnknownClaimError: A pattern matches no claim.
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0 or jobs < -1:
        raise UsageError(f"jobs={jobs!r} must be a positive number of processes, or -1 for all cores")
    place = Path(out)
    entries = select_entries(patterns)
    ids = [entry.id for entry in entries]
    check_place(place, force=force)
    pages = Pages(ids)
    drawn = find_figures(Path(figures), ids)
    with new_site(place) as folder:
        site = _Site(folder, pages)
        claims = _claim_pages(site, ids, Path(records), drawn, jobs)
        problems = problem_lines(patterns)
        _lists(site, claims, drawn, problems, str(figures))
        _units(site, claims)
        for figure in drawn:
            for file in figure.found:
                site.copy(file, f"figures/{figure.name}{file.suffix}")
        for file in sorted(STATIC.iterdir()):
            site.copy(file, f"static/{file.name}")
        site.write("static/claims.js", search_script(claims))
        _sources(site)
    counts = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in verdicts_of(claims)}
    lines = [*problems, *(f"{claim.id}: {notice}" for claim in claims for notice in claim.notices)]
    return SiteReport(place / "index.html", site.pages, counts, tuple(lines))


class _Site:
    """The folder while it is filled."""

    def __init__(self, folder: Path, pages: Pages) -> None:
        self._folder = folder
        self._pages = pages
        self.pages = 0
        self.sources: set[str] = set()

    def page(self, template: str, page: str, **values: Any) -> None:
        self.html(page, self._pages.render(template, page, version=VERSION, **values))

    def html(self, page: str, text: str) -> None:
        self.sources.update(_SOURCE.findall(text))
        self.write(page, text)
        self.pages += 1

    def write(self, name: str, text: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy(self, file: Path, name: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, path)


def _claim_pages(
    site: _Site, ids: Sequence[str], records: Path, drawn: Sequence[FigureFile], jobs: int
) -> list[ClaimSummary]:
    chunks = [ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK)]
    work: Callable[..., list[tuple[ClaimSummary, str]]] = _rendered
    if jobs == 1 or len(chunks) < 2:
        made = [work(chunk, ids, records, drawn, (), None) for chunk in chunks]
    else:
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=jobs, batch_size=1)
        made = parallel(delayed(work)(chunk, ids, records, drawn, used(), os.getpid()) for chunk in chunks)
    found = []
    for summary, text in (item for chunk in made for item in chunk):
        found.append(summary)
        site.html(summary.page, text)
    return found


def _rendered(
    chunk: Sequence[str],
    ids: Sequence[str],
    records: Path,
    drawn: Sequence[FigureFile],
    packages: tuple[str, ...],
    parent: int | None,
) -> list[tuple[ClaimSummary, str]]:
    """Return summary and page of each claim, in whatever process; a worker ends without its parent."""
    from verify.running.processes import end_without
    from verify.running.runner import rare_collections

    if parent is not None:
        end_without(parent)
    use(packages)
    pages = Pages(ids)
    found = []
    with rare_collections():
        for id in chunk:
            state = read_state(id, records)
            summary = summarise(state)
            values = claim_values(state, summary, resting_on(drawn, id))
            found.append((summary, pages.render("claim.html", summary.page, version=VERSION, **values)))
    return found


def _lists(
    site: _Site,
    claims: Sequence[ClaimSummary],
    drawn: Sequence[FigureFile],
    problems: Sequence[str],
    figures: str,
) -> None:
    names = {claim.paper for claim in claims}
    papers = [paper for paper in theory.papers() if paper.name in names]
    rows = glance(papers, claims)
    wrong = [*problems]
    concerned = sum(bool(claim.notices) for claim in claims)
    if concerned:
        wrong.append(
            f"{concerned} of {len(claims)} claims have records that are missing, damaged or stale, or files "
            "that cannot be used; their pages say what is wrong."
        )
    site.page(
        "index.html",
        "index.html",
        claims=claims,
        papers=papers,
        problems=wrong,
        glance=rows,
        verdicts=verdicts_of(claims),
        facets=facets(claims),
        words=WORDS,
    )
    site.page("papers.html", "papers/index.html", glance=rows)
    by_id = {claim.id: claim for claim in claims}
    for paper in papers:
        said, paper_problems = sentences(paper.name, by_id)
        mine = [claim for claim in claims if claim.paper == paper.name]
        site.page(
            "paper.html",
            f"papers/{paper.name}.html",
            paper=paper,
            findings=[claim for claim in mine if claim.kind == "finding"],
            sentences=said,
            problems=paper_problems,
            claims=[claim for claim in mine if claim.kind != "finding"],
            figures=[figure for figure in drawn if figure.paper == paper.name],
            no_figures=f"There is none under {figures!r}; boundcheck figures makes them.",
        )
    findings = [
        (paper, [claim for claim in claims if claim.paper == paper.name and claim.kind == "finding"])
        for paper in papers
    ]
    site.page("findings.html", "findings.html", groups=[(paper, mine) for paper, mine in findings if mine])
    site.page("run.html", "run.html", **run_values(claims))


def _units(site: _Site, claims: Sequence[ClaimSummary]) -> None:
    catalogues = (
        ("compressors", "Compressors", "What a node sends instead of its vector.", compressors(claims)),
        (
            "methods",
            "Methods",
            "What runs with compressors, and rules that choose a message for each gradient.",
            methods(claims),
        ),
    )
    for folder, title, lead, units in catalogues:
        site.page("catalogue.html", f"{folder}/index.html", title=title, lead=lead, items=units)
        for unit in units:
            site.page("unit.html", f"{folder}/{unit.name}.html", **unit_values(unit))


def _sources(site: _Site) -> None:
    """Write the pages of the source files that other pages link to."""
    folders = {
        root.package[0]: root.package[1].parent
        for root in theory.reading.index.read_index().roots.values()
        if root.package
    }
    for name in sorted(site.sources):
        file = folders.get(name.partition("/")[0], OWN.parent) / name
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        site.page("source.html", sources.page_of(name), name=name, lines=lines)
