"""What formulas say and texts do not show: steps far out, conditions, shapes, circles, families."""

import pytest
from sympy import Abs, Function, IndexedBase, KroneckerDelta, Sum, Symbol, floor, oo

from theory.claim import Claim, Part, Relation, Variable
from theory.hypotheses import definition, domain, parameter
from theory.indicator import INDICATOR
from theory.paper import Paper
from verify.statements import check, hashes
from verify.statements.comparing.written_domains import base_and_exponent

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
n, x, y, z = (Symbol(name, real=True) for name in "nxyz")
d = Symbol("d", integer=True, positive=True)
a = IndexedBase("a", real=True)
b = IndexedBase("b", real=True)
j = Symbol("j", integer=True)
k = Symbol("k", real=True)
REAL = Variable(x, "x", r"\mathbb R", "a number")
MORE = Variable(y, "y", r"\mathbb R", "a number")
SIZE = Variable(d, "d", r"\mathbb N", "dimension")
VECTOR = Variable(a, "a", r"\mathbb R^d", "a vector", "(d,)")


def found_in(parts, relations, variables, hypotheses, setting="Numbers.", **given):
    claim = Claim(
        id="sample/declarations",
        kind="upper",
        provenance="rederived",
        title="Declarations",
        position=1,
        paper=PAPER,
        setting=setting,
        parts=parts,
        variables=variables,
        hypotheses=hypotheses,
        relations=relations,
        **given,
    )
    return [str(problem) for problem in check(claim, hashes(claim))]


def problems(text, relation, *variables, setting="Numbers.", **hypotheses):
    part = Part("a", text, says=("r",), evidence=("proof",))
    return found_in((part,), {"r": relation}, variables or (REAL, MORE), hypotheses, setting)


@pytest.mark.parametrize(
    ("text", "honest", "right"),
    [
        (r"$x<\lceil x\rceil$", r"$x<\lfloor x\rfloor+1$", (x, floor(x) + 1)),
        (
            r"$x+\left\lfloor\frac x{10^{12}}\right\rfloor<y$",
            r"$x<y$",
            (x, y),
        ),
    ],
)
def test_sides_that_differ_at_integers_or_beyond_all_points_are_others(text, honest, right):
    # Of positive numbers: at 0 and below these sides differ anyway.
    positive = [Variable(name, str(name), r"\mathbb R_{>0}", "a number") for name in (x, y)]
    relation = Relation(right, ("<",))
    assert any("no relation" in problem for problem in problems(text, relation, *positive))
    assert problems(honest, relation, *positive) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"$x\le y+|n-5|+|n-900|-|2n-905|$", n),
        (r"$x\le y+|n-40|+|n-44|-|2n-84|$", n),
        (r"$x\le y+|z-300|+|z-301|-|2z-601|$", z),
        (r"$x\le y+\lfloor\frac{|n-76|+|n-86|}{10}\rfloor-\lfloor\frac{|2n-162|}{10}\rfloor$", n),
    ],
)
def test_sides_that_differ_between_their_numbers_only_are_others(text, name):
    kind = Variable(n, "n", r"\mathbb N", "clients") if name is n else Variable(z, "z", r"\mathbb R", "third")
    assert any(
        "no relation" in problem for problem in problems(text, Relation((x, y), ("<=",)), REAL, MORE, kind)
    )
    same = Relation((x, y + Abs(name - 5) + Abs(2 * name - 8)), ("<=",))
    assert problems(rf"$x\le y+|5-{name}|+2|4-{name}|$", same, REAL, MORE, kind) == []


def test_a_sum_under_a_condition_is_not_that_over_all_places():
    relation = Relation((x, Sum(a[j], (j, 0, d - 1))), ("<=",))
    assert problems(r"$x\le\sum_{j=1}^da_j$", relation, REAL, SIZE, VECTOR) == []
    assert problems(r"$x\le\sum_{j:j\le9}a_j$", relation, REAL, SIZE, VECTOR) != []


@pytest.mark.parametrize(
    ("said", "shape", "right"),
    [
        (r"\mathbb R^d", "(d,)", True),
        (r"\mathbb R^{d+1}", "(d+1,)", True),
        (r"\mathbb R_{\ge0}^\infty", "(oo,)", True),
        (r"\mathbb R^d", "(2,)", False),
        (r"\mathbb R^{d+1}", "(d,)", False),
        (r"\mathbb R^{d\times2}", "(2,d)", False),
    ],
)
def test_the_exponent_of_a_domain_is_the_shape(said, shape, right):
    place = (0, 0) if "," in shape.strip("(),") else (0,)
    entry = "a_{11}" if len(place) == 2 else "a_1"
    array = Variable(a, "a", said, "an array", shape)
    found = problems(f"$x\\le {entry}$", Relation((x, a[place]), ("<=",)), REAL, SIZE, array)
    assert [problem for problem in found if "exponent" in problem] == ([] if right else found)
    assert right or found


def test_definitions_that_go_in_a_circle_are_an_assumption():
    relation = Relation((y, 1), ("<=",))
    text = r"$y\le1$, where $y=x^2$."
    found = problems(text, relation, y=definition("$y=x^2$"), x=definition("$x=y$"))
    assert {"is defined by itself" in item for item in found} == {True}
    assert problems(text, relation, y=definition("$y=x^2$")) == []


def test_a_fixed_point_of_a_linear_equation_is_a_definition():
    text, relation = r"$y\le1$, where $y=\frac y2+x$.", Relation((y, 1), ("<=",))
    assert not any(
        "defined by itself" in item for item in problems(text, relation, y=definition(r"$y=\frac y2+x$"))
    )
    square = r"$y\le1$, where $y=y^2$."
    found = problems(square, relation, y=definition("$y=y^2$"))
    assert any("defined by itself" in item for item in found)


def test_a_relation_of_one_place_is_not_said_of_a_family():
    def said(high):
        return problems(
            r"For every $j$ $$2\le a_j+1.$$",
            Relation((2, a[j] + 1), ("<=",), every=((j, 0, high),)),
            SIZE,
            VECTOR,
        )

    assert any("holds for j from 0 to 0 only" in item for item in said(0))
    assert any("holds for j from 0 to 4 only" in item for item in said(4))
    assert said(d - 1) == []


@pytest.mark.parametrize(("low", "high"), [(0, d - 2), (1, d - 1), (2, d - 3)])
def test_a_relation_that_leaves_out_an_end_is_not_said_of_a_family(low, high):
    relation = Relation((2, a[j] + 1), ("<=",), every=((j, low, high),))
    (found,) = problems(r"For every $j$ $$2\le a_j+1.$$", relation, SIZE, VECTOR)
    assert f"holds for j from {low} to {high} only, which its words do not say" in found
    # A neighbour tells the range.
    beside = Relation((a[j], a[j + 1] + 1), ("<=",), every=((j, 0, d - 2),))
    assert problems(r"For every $j$ $$a_j\le a_{j+1}+1.$$", beside, SIZE, VECTOR) == []


COUNT = Variable(k, "k", r"\mathbb N", "another number")
LIMIT = parameter(r"$k\le d$")
ENTRY = r"$2\le a_j+1$"


def said_up_to_k(text, low=0, high=k - 1, *others, setting=r"Numbers, $k\le d$."):
    relation = Relation((2, a[j] + 1), ("<=",), every=((j, low, high),))
    found = problems(text, relation, SIZE, COUNT, VECTOR, *others, setting=setting, limit=LIMIT)
    return [problem.partition(": ")[2] for problem in found]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (rf"{ENTRY} for $1\le j\le k$.", 0, k - 1),
        (rf"{ENTRY} for all $j\le k$.", 0, k - 1),
        (rf"{ENTRY} for $j<k+1$.", 0, k - 1),
        (rf"{ENTRY} for $k\ge j$.", 0, k - 1),
        (rf"For $j\le k$, {ENTRY}.", 0, k - 1),
        (r"For $j\le k$ $$2\le a_j+1.$$", 0, k - 1),
        (rf"For each place $j\le k$, {ENTRY}.", 0, k - 1),
        (r"$$2\le a_j+1,\qquad j\le k.$$", 0, k - 1),
        (r"$$2\le a_j+1\quad\text{for }j\le k.$$", 0, k - 1),
        (rf"{ENTRY} for $j<d$.", 0, d - 2),
        (rf"{ENTRY} for $j<k$.", 0, k - 2),
        (rf"{ENTRY} for $j>k$.", k, d - 1),
        (rf"{ENTRY} for $k<j\le d$.", k, d - 1),
        (rf"{ENTRY} for $k<j$ and $j<d$.", k, d - 2),
    ],
)
def test_a_range_up_to_another_name_is_said_as_a_formula(text, low, high):
    assert said_up_to_k(text, low, high) == []


@pytest.mark.parametrize(
    "text",
    [
        f"For each $j$, {ENTRY}.",
        f"{ENTRY}.",
        f"For the first places {ENTRY}.",
        rf"{ENTRY} for $j\le d$.",
        rf"{ENTRY} for $j\le k+1$.",
        rf"{ENTRY} for $j\le2k$.",
        rf"{ENTRY} for $j<k$.",
        rf"{ENTRY} for $j\ge k$.",
        rf"{ENTRY} for $2\le j\le k$.",
        rf"{ENTRY} for $i\le k$.",
        rf"{ENTRY} for $j\ne k$.",
        rf"{ENTRY} not only for $j\le k$.",
        rf"{ENTRY} for $j\le k$ and beyond.",
        rf"{ENTRY} for $j\le k$ and for others.",
        rf"{ENTRY} for $j\le k$, or for any $j$.",
        rf"{ENTRY} for $j\le k$ and for all $j$.",
        rf"{ENTRY} for $j\le k$, and for $j>k$, too.",
        rf"Not only for $j\le k$, {ENTRY}.",
        rf"For $j\le k$ and each other $j$, {ENTRY}.",
        rf"For $j\le k$ and for all {ENTRY}.",
        rf"Nothing is known for $j\le k$; for each $j$, {ENTRY}.",
        rf"Let $j\le k$. For each $j$, {ENTRY}.",
        rf"{ENTRY} for $j\le k$. For each $j$, {ENTRY}.",
        rf"It is false that for $j\le k$, {ENTRY}.",
        rf"{ENTRY} for $j\le k$ is false.",
    ],
)
def test_a_relation_up_to_another_name_is_not_said_of_a_family(text):
    assert said_up_to_k(text) != []
    assert any("holds for j from 0 to k - 1 only" in item for item in said_up_to_k(f"For each $j$, {ENTRY}."))


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0, k - 1, r"$2\le b_j+1$ for $j<k$."),
        (1, oo, r"$2\le b_j+1$ for $j\ge1$."),
        (3, oo, r"$2\le b_j+1$ for $j>2$."),
    ],
)
def test_a_part_of_an_endless_sequence_is_said(low, high, text):
    sequence = Variable(b, "b", r"\mathbb R^\infty", "a sequence", "(oo,)", first=0)
    relation = Relation((2, b[j] + 1), ("<=",), every=((j, low, high),))
    given = {"setting": r"Numbers, $k\le d$.", "limit": LIMIT}
    assert problems(text, relation, SIZE, COUNT, sequence, **given) == []
    for other in ("For each $j$, $2\\le b_j+1$.", "$2\\le b_j+1$.", r"$2\le b_j+1$ for $j\ge0$."):
        assert problems(other, relation, SIZE, COUNT, sequence, **given) != []


def test_an_index_with_a_domain_has_that_range():
    def said(text, high):
        counting = Variable(k, "k", r"\{1,\dots,d\}", "a place")
        relation = Relation((2 * k, k**2 + 1), ("<=",), every=((k, 1, high),))
        return problems(text, relation, SIZE, counting)

    assert said(r"For each $k$, $2k\le k^2+1$.", d) == []
    assert said(r"For each $k$, $2k\le k^2+1$.", d - 1) != []
    assert said(r"$2k\le k^2+1$ for $k<d$.", d - 1) == []
    assert said(r"$2k\le k^2+1$ for $k<d$.", 9) != []
    assert said(r"$2k\le k^2+1$ for $k\le10$.", 10) == []


def test_ranges_of_a_claim_are_the_registered_ones():
    def said(ranges):
        part = Part("a", f"{ENTRY}.", says=("r",), evidence=("proof",))
        relations = {"r": Relation((2, a[j] + 1), ("<=",), every=((j, 0, k - 1),))}
        variables, setting = (SIZE, COUNT, VECTOR), r"Numbers, $k\le d$."
        return found_in((part,), relations, variables, {"limit": LIMIT}, setting, ranges=ranges)

    assert said({"j": (1, k)}) == []
    for ranges in ({}, {"j": (1, k - 1)}, {"j": (0, k - 1)}, {"j": (1, d)}):
        assert any("holds for j from 0 to k - 1 only" in item for item in said(ranges))


def test_a_range_below_a_number_that_is_no_integer_is_another():
    limit = Variable(x, "x", r"\mathbb R", "a number")
    assert any(
        "holds for j from 0 to x - 2" in item for item in said_up_to_k(f"{ENTRY} for $j<x$.", 0, x - 2, limit)
    )
    assert said_up_to_k(rf"{ENTRY} for $j\le x$.", 0, x - 1, limit) == []


def test_of_two_relations_each_has_its_range():
    def said(text):
        relations = {
            "r": Relation((a[j], 1), ("=",), every=((j, 0, k - 1),)),
            "s": Relation((2, a[j] + 1), ("<=",), every=((j, k, d - 1),)),
        }
        part = Part("a", text, says=("r", "s"), evidence=("proof",))
        setting = r"Numbers, $k\le d$."
        return found_in((part,), relations, (SIZE, COUNT, VECTOR), {"limit": LIMIT}, setting)

    assert said(rf"$a_j=1$ for $j\le k$ and {ENTRY} for $j>k$.") == []
    assert said(rf"For $j\le k$, $a_j=1$. For $j>k$, {ENTRY}.") == []
    assert said(rf"$a_j=1$ for $j>k$ and {ENTRY} for $j\le k$.") != []
    assert said(rf"For $j>k$, $a_j=1$, for $j\le k$, {ENTRY}.") != []
    assert said(rf"$a_j=1$ for $j\le k$, {ENTRY} for $j>k$.") != []  # of which one is the first range?
    assert said(rf"$a_j=1$ and {ENTRY} for $j>k$.") != []


def test_an_index_before_another_is_said():
    matrix = IndexedBase("m", real=True)
    array = Variable(matrix, "m", r"\mathbb R^{d\times d}", "a matrix", "(d,d)")
    relation = Relation((2, matrix[k, j] + 1), ("<=",), every=((k, 0, j - 1), (j, 1, d - 1)))
    assert problems(r"$2\le m_{kj}+1$ for $k<j$.", relation, SIZE, array) == []
    for said in ("", r" for $k\le j$", r" for $k\ne j$", r" for $j<k$", " for two different places"):
        assert problems(rf"$2\le m_{{kj}}+1${said}.", relation, SIZE, array) != []


@pytest.mark.parametrize("said", [r"x\le1", "x=1"])
def test_what_defines_for_another_relation_is_not_said_of_a_name_in_a_part(said):
    parts = (
        Part("a", f"It holds that ${said}$ and $2x\\le x^2+1$.", says=("r",), evidence=("proof",)),
        Part("b", f"If ${said}$, then $x\\le2$.", says=("s",), evidence=("proof",)),
    )
    relations = {
        "r": Relation((2 * x, x**2 + 1), ("<=",)),
        "s": Relation((x, 2), ("<=",), under=("one",)),
    }
    (found,) = found_in(parts, relations, (REAL,), {"one": definition(f"${said}$")})
    assert "it says hypothesis 'one', under which no relation of this part holds" in found


def test_an_assumption_with_its_terms_moved_proves_nothing():
    relation = Relation((y, x), ("<=",))
    found = problems(r"$y\le x$", relation, setting=r"Let $2y\le2x$.", order=domain(r"$2y\le2x$"))
    assert any("with terms moved or multiplied" in item for item in found)


def test_sequences_of_reals_are_no_integers():
    sequence = Variable(a, "a", r"\mathbb R^{\mathbb N}", "a sequence", "(oo,)")
    relation = Relation((a[0], a[0] ** 2), ("<=",))
    text = r"For all $a\in\mathbb R^{\mathbb N}$ $$a_1\le a_1^2.$$"
    found = problems(text, relation, sequence, whole=domain("$a_1$ is an integer"))
    assert any("integer" in item for item in found)


def any_vector(domain_text, meaning="a vector", **others):
    vector = Variable(a, "a", domain_text, meaning, "(d,)")
    relation = Relation((x, y), ("<=",))
    bound = definition(r"$x\sum_ja_j^2\le y\sum_ja_j^2$ for every vector $a$")
    return problems(r"$x\le y$.", relation, REAL, MORE, SIZE, vector, bound=bound, **others)


def test_any_vector_is_restricted_nowhere_else():
    assert any_vector(r"\mathbb R^d") == []
    (found,) = any_vector(r"[0,1]^d")
    assert "whose domain is [0,1]^d: it holds for all real numbers" in found
    (found,) = any_vector(r"\mathbb R^d", unit=definition(r"$\sum_ja_j^2=1$"))
    assert "a is any vector in hypothesis 'bound' and one vector in hypothesis 'unit'" in found
    law = r"over uncorrelated $a_j$, $1\le j\le d$, with mean $0$ and variance $1$"
    found = any_vector(r"\mathbb R^d", mean=definition(rf"$y=\mathbb E\bigl(\sum_ja_j\bigr)$, {law}"))
    assert any("is any vector in hypothesis 'bound' and one vector in hypothesis 'mean'" in x for x in found)
    (found,) = any_vector(r"\mathbb R^d", setting="Let $a$ be of unit norm.")
    assert "stands in the setting" in found
    (found,) = any_vector(r"\mathbb R^d", meaning="a vector of unit norm")
    assert "which means ‘a vector of unit norm’" in found


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        (r"$x\le\mathbb I(y,z)$.", True),
        (r"$x\le\mathbb I(z,y)$.", True),
        (r"$x\le\mathbb I(y+1,z+1)$.", True),
        (r"$x\le\mathbb I(y,z+1)$.", False),
        (r"$x\le\mathbb I(y,-z)$.", False),
        (r"$x\le\mathbb I(2y,z)$.", False),
        (r"$x\le\mathbb I(y-z,1)$.", False),
    ],
)
def test_an_indicator_tells_how_far_numbers_are_apart(text, is_read):
    variables = (REAL, MORE, Variable(z, "z", r"\mathbb R", "another"), INDICATOR)
    found = problems(text, Relation((x, KroneckerDelta(y, z)), ("<=",)), *variables)
    assert (found == []) is is_read


@pytest.mark.parametrize(
    ("symbol", "meaning", "is_read"),
    [
        (KroneckerDelta, INDICATOR.meaning, True),
        (KroneckerDelta, "1 of different numbers, else 0", False),
        (Function("KroneckerDelta"), INDICATOR.meaning, False),
        (Function("floor"), "functions", False),
        (floor, "the least integer above", False),
        (Function("f"), "functions", True),
    ],
)
def test_a_declared_function_is_evaluated_as_its_meaning_says(symbol, meaning, is_read):
    declared = Variable(symbol, r"\varphi", "", meaning)
    arguments = (x, y) if symbol is KroneckerDelta or str(symbol) == "KroneckerDelta" else (y,)
    text = rf"$x\le\varphi({','.join(map(str, arguments))})$."
    found = problems(text, Relation((x, symbol(*arguments)), ("<=",)), REAL, MORE, declared)
    assert any("whatever its meaning says" in item for item in found) is not is_read


@pytest.mark.parametrize("text", [r"$x\le\mathbb I(y)$.", r"$x\le\mathbb I(y,0,1)$."])
def test_an_indicator_compares_two_numbers(text):
    found = problems(text, Relation((x, KroneckerDelta(y, 0)), ("<=",)), REAL, MORE, INDICATOR)
    assert any("compares two numbers" in item for item in found)


@pytest.mark.parametrize("extent", [r"0\le j\le d", r"1\le j\le d+1", r"j\ge0", r"1\le j\le d"])
def test_ranges_in_texts_stay_within_arrays(extent):
    relation = Relation((a[j], x), ("<=",), every=((j, 0, d - 1),))
    found = problems(rf"$a_j\le x$ for ${extent}$.", relation, REAL, SIZE, VECTOR)
    assert (found == []) is (extent == r"1\le j\le d")


@pytest.mark.parametrize("first", [(0,), (0.5, 1), [0, 1]])
def test_text_counts_from_integers(first):
    with pytest.raises(ValueError, match="needs an integer for each size"):
        _ = Variable(a, "a", "", "a matrix", "(d,d)", first=first).firsts


@pytest.mark.parametrize(
    ("words", "is_read"),
    [
        ("$x$ is at most $2y$", True),
        ("$2y$ is at least $x$", True),
        ("$x$ is not above $2y$", True),
        ("$x$ does not exceed $2y$", True),
        ("$x$ is bounded by $2y$", True),
        ("$x$ is at least $2y$", False),
        ("$2y$ is at most $x$", False),
        ("$x$ is not below $2y$", False),
        ("$x$ is more than $2y$", False),
        ("$2y$ is less than $x$", False),
        ("$2y$ is bounded by $x$", False),
        ("$x$ is not less than $2y$", False),
        ("$x$ exceeds $2y$", False),
        ("$x$ cannot be larger than $2y$", True),
        ("$x$ is never strictly below $2y$", False),
        ("$x$ can't be more than $2y$", True),
        ("$2y$ cannot exceed $x$", False),
        ("$x$ is less than or equal to $2y$", True),
        ("$x$ is greater than or equal to $2y$", False),
        ("$x$ is no more than twice $y$", True),
        ("$x$ is at least twice $y$", False),
        ("$x$ is at most, say, $2y$", True),
        ("$x$ is at least, say, $2y$", False),
        ("$x$ is at least as large as $2y$", False),
        ("At least $2y$ is $x$", False),
        ("$x$ is bounded below by $2y$", False),
        ("$x$ dominates $2y$", False),
        ("$x$ is $2y$ or more", False),
        ("$2y$ is an upper bound of $x$", True),
        ("$2y$ is a lower bound of $x$", False),
    ],
)
def test_words_bound_on_the_side_on_which_the_relation_does(words, is_read):
    found = problems(f"{words}: $x\\le2y$.", Relation((x, 2 * y), ("<=",)))
    assert any("words call it a bound" in item for item in found) is not is_read
    assert is_read is (found == [])


@pytest.mark.parametrize(
    ("domain_text", "parts"),
    [
        (r"[0,1]^{n\times d}", ("[0,1]", r"n\times d")),
        (r"\mathbb R_{>0}^d", (r"\mathbb R_{>0}", "d")),
        (r"\mathbb R^d_{>0}", (r"\mathbb R_{>0}", "d")),
        (r"\mathbb R^\infty", (r"\mathbb R", r"\infty")),
        (r"(0,2^k]", ("(0,2^k]", "")),
    ],
)
def test_a_domain_is_a_set_with_an_exponent(domain_text, parts):
    assert base_and_exponent(domain_text) == parts
