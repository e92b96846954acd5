"""The paper on correlated quantization with MARINA, arXiv 2401.05518."""

from theory.paper import Paper

PAPER = Paper(
    name="cq_marina",
    title="Correlated Quantization for Faster Nonconvex Distributed Optimization",
    authors=("Andrei Panferov", "Yury Demidovich", "Ahmad Rammal", "Peter Richtárik"),
    year=2025,
    arxiv="2401.05518",
    venue="Conference on Uncertainty in Artificial Intelligence (UAI 2025)",
)
