"""Natural compression for distributed deep learning (arXiv 1905.10988)."""

from boundcheck import Paper

PAPER = Paper(
    name="natural", year=2022, arxiv="1905.10988", title="Natural Compression for Distributed Deep Learning",
    authors=("Samuel Horváth", "Chen-Yu Ho", "Ľudovít Horváth", "Atal Narayan Sahu", "Marco Canini", "Peter Richtárik"),
    venue="Mathematical and Scientific Machine Learning (MSML 2022)")
