"""The paper on smoothness-aware quantization, arXiv 2106.03524."""

from theory.paper import Paper

PAPER = Paper(
    name="squant",
    title="Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware "
    "Quantization Techniques",
    authors=("Bokun Wang", "Mher Safaryan", "Peter Richtárik"),
    year=2022,
    arxiv="2106.03524",
    venue="Advances in Neural Information Processing Systems 35 (NeurIPS 2022)",
)
