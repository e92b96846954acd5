"""An RO-Crate of records and figures: one folder or archive, with metadata that repositories of data read.

It follows RO-Crate 1.1 and its profile for runs of processes. What is written is checked by reading it again.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.errors import OutputFolderError, UsageError
from verify.records.folder import DEFAULT_FOLDER, Record, RecordFolder, record_id
from verify.records.recorded import RecordedResult, recorded_results
from verify.records.remedies import some_of, verify_command

VERSION_OF_FORMAT = "1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
LICENSE = "https://spdx.org/licenses/Apache-2.0"

_TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}

_KINDS = {
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".csv": "text/csv",
    ".txt": "text/plain",
    ".bib": "application/x-bibtex",
}


@dataclass(frozen=True)
class CrateReport:
    """What was written.

    Args:
        path: The folder or archive.
        claims: Ids of the claims with records in it.
        records: Number of records.
        figures: Number of files of figures.
        notes: What was left out or is stale, one line each.
    """

    path: Path
    claims: tuple[str, ...]
    records: int
    figures: int
    notes: tuple[str, ...]

    def document(self) -> Mapping[str, Any]:
        """Return the machine-readable form."""
        lists = {"claims": list(self.claims), "notes": list(self.notes)}
        return {"crate": str(self.path), "records": self.records, "figures": self.figures, **lists}


def write_crate(
    out: str | Path,
    patterns: Iterable[str] | str = ("*",),
    *,
    records: str | Path = DEFAULT_FOLDER,
    figures: str | Path = "paper_figures",
) -> CrateReport:
    """Write the records of claims, the figures about them, versions and citation as an RO-Crate.

    Args:
        out: A folder that is empty or not there yet, or a file that ends with `.zip`.
        patterns: Claim ids or shell patterns.
        records: Folder of the records.
        figures: Folder of the figures; none are exported where it is missing.

    Raises:
        UnknownClaimError: A pattern matches no claim.
        UsageError: There is no usable record, or the library is missing.
        OutputFolderError: `out` is there already, or cannot be written.
    """
    try:
        from rocrate.rocrate import ROCrate
    except ImportError as error:
        raise UsageError(
            f"export needs a library that is not there ({error}): pip install 'boundcheck[crate]'"
        ) from error
    path = Path(out)
    _check_place(path)
    found = recorded_results(patterns, records)
    usable = [item for item in found if item.result.records]
    if not usable:
        damaged = some_of([text for item in found for text in item.damaged.values()], most=1)
        command = verify_command(records, found[0].result.claim.id if len(found) == 1 else "")
        told = f" ({'; '.join(damaged)})" if damaged else ""
        raise UsageError(
            f"records={str(records)!r} has no usable record of these claims{told}; run `{command}`"
        )
    crate = ROCrate(version=VERSION_OF_FORMAT)
    crate.metadata.extra_terms.update(_TERMS)
    _describe(crate, usable)
    software = _software(crate, [record for item in usable for record in item.result.records])
    written = [entity for item in usable for entity in _claim(crate, item, RecordFolder(records))]
    drawn = list(_figures(crate, Path(figures), [item.result.claim.id for item in usable]))
    action = crate.add_action(
        software,
        identifier="#verify",
        result=written,
        properties={"name": "boundcheck verify", "description": _settings(usable)},
    )
    crate.root_dataset["mentions"] = action
    _write(crate, path)
    _check(ROCrate(path), len(written) + len(drawn))
    names = tuple(item.result.claim.id for item in usable)
    return CrateReport(path, names, len(written), len(drawn), tuple(_notes(found)))


def _check_place(path: Path) -> None:
    if path.exists() and (not path.is_dir() or path.suffix == ".zip" or any(path.iterdir())):
        raise OutputFolderError(
            f"crate={str(path)!r} is there already; remove it, or choose an empty folder or a new FILE.zip"
        )


def _describe(crate: Any, found: Sequence[RecordedResult]) -> None:
    """Say what the whole is, whose claims it is about, and how to cite it."""
    from rocrate.model.contextentity import ContextEntity

    from verify.reporting.citation import own_bibtex
    from verify.version import VERSION

    papers = list({item.result.claim.paper.name: item.result.claim.paper for item in found}.values())
    articles = [
        crate.add(
            ContextEntity(
                crate,
                f"https://arxiv.org/abs/{paper.arxiv}",
                {
                    "@type": "ScholarlyArticle",
                    "name": paper.title,
                    "author": ", ".join(paper.authors),
                    "datePublished": str(paper.year),
                    "isPartOf": paper.venue,
                },
            )
        )
        for paper in papers
    ]
    root = crate.root_dataset
    root["name"] = f"Records of boundcheck on {len(found)} claims"
    root["description"] = (
        f"Verdicts of boundcheck {VERSION} on claims of {', '.join(paper.name for paper in papers)}: "
        "one record per check, with bound, value, seed, mutants, versions and a digest of its own content."
    )
    root["license"] = crate.add(
        ContextEntity(crate, LICENSE, {"@type": "CreativeWork", "name": "Apache License 2.0"})
    )
    root["conformsTo"] = crate.add(
        ContextEntity(
            crate, PROFILE, {"@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}
        )
    )
    root["citation"] = articles
    _add_text(crate, "citation.bib", "\n\n".join([*(p.bibtex() for p in papers), own_bibtex(VERSION)]) + "\n")


def _software(crate: Any, found: Sequence[Record]) -> Any:
    """Add boundcheck and the libraries that the records name, each version of them."""
    from rocrate.model.contextentity import ContextEntity

    from verify.version import VERSION

    versions = sorted({(name, version) for record in found for name, version in record["libraries"].items()})
    libraries = [
        crate.add(
            ContextEntity(
                crate,
                f"#{name}-{version}",
                {"@type": "SoftwareApplication", "name": name, "softwareVersion": version},
            )
        )
        for name, version in versions
    ]
    about = {"@type": "SoftwareApplication", "name": "boundcheck", "softwareVersion": VERSION}
    software = crate.add(ContextEntity(crate, "#boundcheck", about))
    software["softwareRequirements"] = libraries
    return software


def _claim(crate: Any, found: RecordedResult, folder: RecordFolder) -> Iterator[Any]:
    """Add a claim with its verdict, and yield its records."""
    from rocrate.model.contextentity import ContextEntity

    from verify.reporting.citation import citation_of

    claim, citation = found.result.claim, citation_of(found)
    stale = " (stale: the sources have changed since)" if found.stale else ""
    about = {
        "@type": "Claim",
        "name": claim.title,
        "identifier": citation.identifier,
        "description": f"{found.result.verdict.replace('_', ' ')}{stale}",
        "isBasedOn": {"@id": f"https://arxiv.org/abs/{claim.paper.arxiv}"},
    }
    entity = crate.add(ContextEntity(crate, f"#{claim.id}", about))
    for record in found.result.records:
        path = folder.path(record["claim"], record["rung"], record["instance"])
        place = path.relative_to(folder.folder).as_posix()
        said = {
            "name": record_id(record),
            "description": f"{record['rung']}/{record['instance']}: {record['verdict']}",
        }
        yield _add_file(crate, path, place, said | {"about": entity})


def _figures(crate: Any, folder: Path, claims: Sequence[str]) -> Iterator[Any]:
    """Add the files of each figure whose caption names one of the claims."""
    for caption in sorted(folder.glob("*/*.txt")):
        text = caption.read_text(encoding="utf-8")
        if not set(re.findall(r"[\w-]+/[\w-]+", text)) & set(claims):
            continue
        title = text.partition(". ")[0].replace("\n", " ")
        for path in sorted(caption.parent.glob(f"{caption.stem}.*")):
            if path.suffix in _KINDS:
                place = f"figures/{path.relative_to(folder).as_posix()}"
                yield _add_file(crate, path, place, {"name": path.name, "description": title})


def _add_file(crate: Any, path: Path, place: str, said: Mapping[str, Any]) -> Any:
    content = path.read_bytes()
    known = {
        "encodingFormat": _KINDS[path.suffix],
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    return crate.add_file(path, place, properties={**said, **known})


def _add_text(crate: Any, place: str, text: str) -> None:
    from io import StringIO

    said = {"name": place, "encodingFormat": _KINDS[Path(place).suffix], "description": "How to cite"}
    crate.add_file(StringIO(text), place, properties=said)


def _settings(found: Sequence[RecordedResult]) -> str:
    """Return the profiles and seeds of the records."""
    records = [record for item in found for record in item.result.records]
    profiles, seeds = (sorted({str(record[name]) for record in records}) for name in ("profile", "seed"))
    return f"profile {', '.join(profiles)}; seed {', '.join(seeds)}"


def _notes(found: Sequence[RecordedResult]) -> Iterator[str]:
    for item in found:
        claim = item.result.claim.id
        yield from item.damaged.values()
        if item.lost and item.result.records:
            yield f"{claim}: no record of {', '.join(item.lost)}; run {item.remedy}"
        if not item.result.records:
            yield f"{claim}: no usable record; run {item.remedy}"
        elif item.stale:
            yield f"{claim}: stale, the sources have changed since; run {item.remedy}"


def _write(crate: Any, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".zip":
            crate.write_zip(path)
        else:
            crate.write(path)
    except OSError as error:
        raise OutputFolderError(
            f"crate={str(path)!r} cannot be written ({error.strerror or error}); choose another place"
        ) from error


def _check(crate: Any, expected: int) -> None:
    """Read what was written: each file is there with the content that the metadata state."""
    files = [item for item in crate.data_entities if item.get("sha256")]
    wrong = [
        item.id
        for item in files
        if hashlib.sha256(Path(item.source).read_bytes()).hexdigest() != item["sha256"]
    ]
    if wrong or len(files) != expected:
        raise OutputFolderError(
            f"the crate was not written well ({len(files)} of {expected} files, {', '.join(wrong) or 'none'} "
            "with other content); were records written meanwhile? export again"
        )
