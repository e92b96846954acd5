"""A paper whose claims are judged: a bibliographic entry with its BibTeX."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """Describe one paper.

    Args:
        name: Short name used everywhere (`squant`), the first part of each claim id.
        title: Full title.
        authors: Authors in order, each "Given Family".
        year: Year of publication.
        arxiv: arXiv identifier without prefix.
        venue: Journal or conference, as cited.
    """

    name: str
    title: str
    authors: tuple[str, ...]
    year: int
    arxiv: str
    venue: str

    @property
    def bibtex_key(self) -> str:
        """Return the citation key: first author's family name, year, short name."""
        return f"{self.authors[0].split()[-1].lower()}{self.year}{self.name}"

    def bibtex(self) -> str:
        """Return the BibTeX entry of the paper."""
        fields = {
            "title": f"{{{self.title}}}",
            "author": " and ".join(self.authors),
            "booktitle": self.venue,
            "year": str(self.year),
            "eprint": self.arxiv,
            "archivePrefix": "arXiv",
        }
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@inproceedings{{{self.bibtex_key},\n{body}\n}}"
