"""Words beside assumptions of our claims that were read: none of them makes what is assumed weaker."""

from collections.abc import Mapping

KNOWN: Mapping[str, tuple[str, ...]] = {
    "cat/affine-unimodal": ("one entry is best",),
    "cat/alpha-dominates-omega": ("between the integers",),
    "cat/alpha-shape": ("for one",),
    "cat/atoms": (
        "for the first",
        "for the others,",
    ),
    "cat/finding-fixed-sparsity": (
        "of the squared norm in the messages the guarantee",
        "they cost the same",
    ),
    "cat/finding-local-rule": ("in (c) to (g), too",),
    "cat/finding-stochastic-packets": (
        "at",
        "by costs of the mean",
        "the rule takes a size of the share",
    ),
    "cat/headline": (
        "for an iteration, makes a gain for the payload larger by",
        "in place of",
        "no message of cat-s is less efficient than whole gradients",
    ),
    "cat/memory-bounded": ("in all rounds and",),
    "cat/memory-descent": ("(polyak-łojasiewicz) and",),
    "cat/mn-topk-diverges": ("unless it starts at the solution",),
    "cat/qsgd-adaptive": ("all levels are halfway",),
    "cat/s-descent": ("which guarantees",),
    "cat/s-rates": (
        "as where no share is below",
        "in (e) and (f), too",
        "no share is below",
    ),
    "cat/special-cases": (
        "which is so for",
        "with the probabilities",
    ),
    "cat/sq-range": ("but for the first,",),
    "cat/st-descent": ("for a uniform",),
    "cat/st-rates": (
        "in each round, as where",
        "of the factors before, where",
        "until the first",
    ),
    "cat/st-waterfill": (
        "is as in (c),",
        "that is, where",
    ),
    "cq_marina/ab-compose": (
        "that is",
        "the sample is unbiased with",
        "which sends the entry exactly,",
        "with equality, and",
    ),
    "cq_marina/ab-cq": (
        "for all clients, whose levels are halfway,",
        "for different clients, so one nonzero client at most,",
        "in every coordinate",
        "that is the bound of (a)",
    ),
    "cq_marina/comm-scaling": ("at the best probability",),
    "cq_marina/cq-1d-bound": ("for all others, with",),
    "cq_marina/cq-1d-exact": ("with sums over all clients,",),
    "cq_marina/cq-equal-inputs": ("for all others, has",),
    "cq_marina/cq-klevel": ("for the distance in cells",),
    "cq_marina/dsgd": (
        "one round of dcgd gives",
        "the second moment no longer changes and",
    ),
    "cq_marina/exp-quadratic": ("with an exact first estimate, is",),
    "cq_marina/finding-quarter-constant": (
        "all levels are in the middle of a cell",
        "by the factor",
        "in two dimensions,",
    ),
    "cq_marina/finding-rand-k-constant": ("the noise is large",),
    "cq_marina/finding-ratio-not-maximum": ("at least",),
    "cq_marina/finding-sign-magnitude": (
        "as many positive as negative ones, so that",
        "hold",
    ),
    "cq_marina/finding-weights": (
        "which is that of 32 coordinates",
        "which is that of six coordinates",
    ),
    "cq_marina/finding-zero-norm": ("rounding",),
    "cq_marina/hv-relations": ("are the entries of",),
    "cq_marina/logreg": (
        "as (f) gives for symmetric mean hessians (not derived here)",
        "for the differences of gradients at points of the squared distance",
        "in a direction the data have the curvature",
        "in the limit at the origin",
        "of all rows and",
    ),
    "cq_marina/marina-against-sgd": ("the guarantee of sgd costs more at every step",),
    "cq_marina/marina-biased": (
        "is known, (a) holds with",
        "of any dependence, with finitely many outcomes",
        "one round gives",
        "only",
        "that is",
    ),
    "cq_marina/marina-cq-rate": ("one round gives",),
    "cq_marina/marina-pl": ("one round gives",),
    "cq_marina/marina-rate": (
        "for the root mean square",
        "one round gives",
    ),
    "cq_marina/neg-control": ("as if there were no hessian variance, it is",),
    "ndqsg/adaptive-code-length": (
        "for every order of the symbols,",
        "numbers,",
        "one of",
    ),
    "ndqsg/coded-size": (
        "by a symbol seen",
        "in (g), the length of the range coder is at most",
        "of 4 and",
        "of 8 has",
    ),
    "ndqsg/conv-convex": ("from any",),
    "ndqsg/conv-strong": ("one step gives",),
    "ndqsg/dqsg-variance": ("no block has two nonzero coordinates",),
    "ndqsg/entropy-index": ("there are",),
    "ndqsg/finding-headline-on-training": ("that brings it to the limit,",),
    "ndqsg/finding-seed-cycle": ("a seed has come again",),
    "ndqsg/float-overload": ("that is rounded up on the wire, so that",),
    "ndqsg/nested-cosets": ("of the coset and near to",),
    "ndqsg/nested-decoding": (
        "decoding fails with probability",
        "decoding is right for every dither",
    ),
    "ndqsg/nested-overload": ("as for uniform",),
    "ndqsg/real-links": (
        "in each takes over a free downlink, in this model, at least the time of the one with",
        "longest messages are equally long, a method with",
        "rounds that computes",
    ),
    "squant/bounds": (
        "at an input with",
        "for all blocks but",
    ),
    "squant/dcgd": ("at the largest step size",),
    "squant/finding-blocks-add-nothing": ("one coordinate of one node counts and",),
    "squant/finding-diana-step": (
        "and this",
        "that is",
    ),
    "squant/finding-original-levels": (
        "but at the first one",
        "there is no level,",
        "there is one,",
    ),
    "squant/finding-sparsification-ties": (
        "makes its norm a unit,",
        "some input has at least the variance",
    ),
    "squant/floor": ("there is no noise",),
    "squant/nnz": (
        "for several blocks with expected numbers",
        "for some",
        "of nonzeros,",
    ),
    "squant/steps": (
        "of this budget gain nothing over it",
        "of this budget has",
    ),
    "squant/sup": (
        "for the others are of unit norm,",
        "that is at",
    ),
}
"""By claim; of claims of others none are."""
