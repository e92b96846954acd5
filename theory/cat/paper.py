"""The paper on communication-aware adaptive tuning, arXiv 2003.06377."""

from theory.paper import Paper

PAPER = Paper(
    name="cat",
    title="A Flexible Framework for Communication-Efficient Machine Learning: from HPC to IoT",
    authors=("Sarit Khirirat", "Sindri Magnússon", "Arda Aytekin", "Mikael Johansson"),
    year=2021,
    arxiv="2003.06377",
    venue="AAAI Conference on Artificial Intelligence",
)
