"""The paper on nested dithered quantization, arXiv 1904.01197."""

from theory.paper import Paper

PAPER = Paper(
    name="ndqsg",
    title="Nested Dithered Quantization for Communication Reduction in Distributed Training",
    authors=("Afshin Abdi", "Faramarz Fekri"),
    year=2019,
    arxiv="1904.01197",
    venue="arXiv preprint",
)
