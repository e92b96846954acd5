"""Finite sums of inequalities: how a step for one coordinate, block or node becomes one for all of them."""

from theory.old_steps import StandardFact

SUMMATION = StandardFact(
    "summation",
    r"Inequalities (and equations) that hold term by term may be added: $\sum_ja_j\le\sum_jb_j$ if $a_j\le "
    r"b_j$ for each $j$, for any finite number of terms; so a step for one term carries over from the "
    r"dimensions shown to every dimension.",
    "W. Rudin, Principles of Mathematical Analysis, 3rd ed., section 1.17, and induction",
)
