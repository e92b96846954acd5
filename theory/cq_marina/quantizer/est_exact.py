r"""`cq_marina/est-exact`: exact errors of the estimates of a mean (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, Integer, Rational, Sum, floor

from theory.claim import Claim, Relation
from theory.cq_marina.paper import PAPER
from theory.cq_marina.quantizer import estimators as of
from theory.cq_marina.quantizer.estimators import (
    CLIENTS,
    COORDINATES,
    MEAN,
    SQUARES,
    THETA,
    B,
    K,
    M,
    M_w,
    V,
    V_block,
    V_slots,
    a,
    d,
    g,
    i,
    j,
    l,
    m,
    n,
    omega,
    one,
    phi,
    q,
    r,
    s,
    t,
    tau,
    theta,
    u,
    w,
    y,
)
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model
from theory.statement import statement
from theory.worst_cases import cases

_RAND_K = (d / K - 1) / n * M
_IQ_BIN = (d - 1) / n * M
_IQ_TERN = Sum(r[i] ** 2 * (Abs(u[i, j]) - u[i, j] ** 2), COORDINATES, CLIENTS) / n**2
_FEW = THETA * (M - m)
_PERM_IQ = theta(q) * (M - m) + (B - 1) / q * M
_PERM_CQ = theta(q) * (M - m) + g * V_block
_IS = ((1 + omega) * M_w - m) / tau
_IS_CQ = V_slots + (M_w - m) / tau

CLAIM = Claim(
    id="cq_marina/est-exact",
    kind="identity",
    provenance="derived",
    title="Exact errors of eleven estimators of a mean",
    position=7,
    paper=PAPER,
    **statement(
        r"""
        Clients $i$ and coordinates $j$ count from 0; $a_{ij}=r_iu_{ij}$ with the norm $r_i$ of input $i$;
        $M$ is the mean of the squared norms, $m$ the squared norm of the mean, $M_w$ the mean of the
        squared norms over $n$ times the weights $w_i>0$, $\sum_iw_i=1$. IQ and CQ send one bit per coordinate
        at the scale $r_i$, with probability $y_{ij}=\frac{1+u_{ij}}2$ of the upper level, with independent
        and with stratified thresholds, a permutation for each coordinate;
        $\varphi_{ijk}=\max\{0,\min\{1,ny_{ij}-k\}\}$. All are unbiased.
        (a: rand-k) RandK, independent at the clients: $$V_R=\frac{\frac dK-1}nM.$$ [proof; exact/rand_k;
          exact/oracle of rand_k; montecarlo/error]
        (b: iq-bin) One bit per coordinate with independent thresholds, at every input:
          $$V_I=\frac{d-1}nM.$$ [proof; exact/iq_bin; exact/oracle of iq_bin]
        (c: iq-tern) On the ternary grid, with the levels next to $u_{ij}$:
          $$V_T=\frac1{n^2}\sum_{i,j}r_i^2(|u_{ij}|-u_{ij}^2).$$ [proof; exact/iq_tern; exact/oracle of
          iq_tern; montecarlo/error]
        (d: cq) CQ, for $n\ge2$: $$V_C=\frac4{n^2}\sum_j\Big(\frac1{n-1}\sum_{i,k}\Big(r_i\varphi_{ijk}\
          -r_iy_{ij}-\frac1n\sum_lr_l\varphi_{ljk}+\frac1n\sum_lr_ly_{lj}\Big)^2+\
          \frac1n\sum_ir_i^2\{ny_{ij}\}(1-\{ny_{ij}\})\Big).$$ [proof; exact/exact; exact/oracle of exact;
          exact/equal inputs; montecarlo/error]
        (e: uncorrelated) Errors of CQ in different coordinates are uncorrelated, as each coordinate has a
          permutation of its own: $\mathrm{Cov}_{jl}=0$ for $l<j$. [proof; exact/covariance of two
          coordinates]
        (f: cq-tern) CQ on the ternary grid, where $y_{ij}=\{u_{ij}\}$: $$V_E=\frac1{n^2}\sum_j\Big(\frac1\
          {n-1}\sum_{i,k}\Big(r_i\varphi_{ijk}-r_iy_{ij}-\frac1n\sum_lr_l\varphi_{ljk}+\
          \frac1n\sum_lr_ly_{lj}\Big)^2+\frac1n\sum_ir_i^2\{ny_{ij}\}(1-\{ny_{ij}\})\Big).$$ [proof;
          exact/cq_tern; exact/oracle of cq_tern]
        (g: perm-k) PermK with one owner of each coordinate (<<$d\ge n$ -> exact/perm_k>>): $V_P=M-m$.
          [proof; exact/perm_k; exact/oracle of perm_k]
        (h: perm-few) PermK for <<$n=sd+t$ -> exact/perm_few>>, where $t$ of $d$ coordinates have one owner
          more than $s$: $$V_Q=\frac1{n-1}\Big(n\Big(\frac{d-t}{ds}+\frac t{d(s+1)}\Big)-1\Big)(M-m).$$
          [proof; exact/perm_few; exact/oracle of perm_few]
        (i: perm-iq) With $g$ groups of $q$ clients on blocks of $b$ coordinates that quantize by
          independent bits, $$V_G=\frac{n-q}{q(n-1)}(M-m)+\frac{b-1}qM.$$ [proof; exact/perm_iq;
          exact/oracle of perm_iq; montecarlo/error]
        (j: perm-cq) With CQ in the groups, whose error is $V_b$ on average over all groups and blocks,
          $$V_H=\frac{n-q}{q(n-1)}(M-m)+gV_b.$$ [proof; exact/perm_cq; exact/oracle of perm_cq;
          montecarlo/error]
        (k: is-unbiased) The mean of $\tau$ clients drawn from $w$, each compressed independently with
          variance $\omega$ times the squared norm: $$V_S=\frac1\tau((1+\omega)M_w-m).$$ [proof;
          exact/is_unbiased; exact/oracle of is_unbiased; montecarlo/error]
        (l: is-correlated) With CQ over the draws, whose error is $V_s$ on average,
          $V_D=V_s+\frac1\tau(M_w-m)$. [proof; exact/is_correlated; exact/oracle of is_correlated]
        (m: partition) One owner of each coordinate, drawn from $w$: $V_W=M_w-m$. [proof; exact/partition;
          exact/oracle of partition; montecarlo/error]
        (n: unbiased) The estimators are unbiased, with any number $q$ of owners, with draws and with a
          partition: $$\mathbb E\hat g^R_j=\mathbb E\hat g^I_j=\mathbb E\hat g^T_j=\mathbb E\hat
          g^C_j=\mathbb E\hat g^E_j=\mathbb E\hat g^Q_j=\mathbb E\hat g^S_j=\mathbb E\hat
          g^W_j=\frac1n\sum_ia_{ij}.$$ [proof; exact/mean; montecarlo/bias; exact/oracle in floating point;
          exact/stated *; exact/sum of the chances of outcomes; exact/entries *; exact/sampled estimates
          that differ; exact/bits of *; exact/arguments *; exact/equal ones; exact/different
          ones; exact/ones that equal words]
        """
    ),
    variables=of.VARIABLES,
    hypotheses={
        "sizes": domain(
            r"$n\ge2$, $t\ge0$ are integers; $d,g,b,s,\tau,N\ge1$ are integers; $1\le K\le d$ is an integer; "
            r"$1\le q\le n$ is an integer; $\omega\ge0$"
        ),
        "means": definition(r"$M=\frac1n\sum_j\sum_ia_{ij}^2$, $m=\sum_j\big(\frac1n\sum_ia_{ij}\big)^2$"),
        "directions": definition(r"$a_{ij}=r_iu_{ij}$, $r_i^2\sum_ju_{ij}^2=r_i^2$, $-1\le u_{ij}\le1$"),
        "shares": definition(r"$\varphi_{ijk}=\max\{0,\min\{1,ny_{ij}-k\}\}$"),
        "binary": definition(r"$y_{ij}=\frac{1+u_{ij}}2$"),
        "ternary": definition(r"$y_{ij}=\{u_{ij}\}$"),
        "independent": definition(
            r"$V_R=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(\frac{dc_ia_{ij}}{K}-a_{ij}))^2\bigr)$, "
            r"over independent $c_i\sim\mathrm{Bernoulli}(\frac Kd)$, $0\le i\le n-1$; "
            r"$V_I=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(r_i(2c_i-1)-r_iu_{ij}))^2\bigr)$, over "
            r"independent $c_i\sim\mathrm{Bernoulli}(\frac{u_{ij}}{2}+\frac12)$, $0\le i\le n-1$; "
            r"$V_T=\sum_j\mathbb E\bigl(\frac1{n^2}(\sum_i(r_i(\lfloor "
            r"u_{ij}\rfloor+c_i)-r_iu_{ij}))^2\bigr)$, over independent "
            r"$c_i\sim\mathrm{Bernoulli}(\{u_{ij}\})$, $0\le i\le n-1$"
        ),
        "one-dimension": model(
            r"$W_j=\frac1{n-1}\sum_{i,k}\Big(r_i\varphi_{ijk}-r_iy_{ij}-\frac1n\sum_lr_l\varphi_{ljk}"
            r"+\frac1n\sum_lr_ly_{lj}\Big)^2+\frac1n\sum_ir_i^2\{ny_{ij}\}(1-\{ny_{ij}\})$",
            reference="cq_marina/cq-1d-exact",
        ),
        "correlated": definition(r"$V_C=\sum_j(\frac2n)^2W_j$, $V_E=\sum_j(\frac1n)^2W_j$"),
        "expected": definition(
            r"$\mathbb E\hat g^R_j=\frac1n\sum_i\mathbb E\bigl(\frac{d\beta a_{ij}}K\bigr)$, "
            r"over $\beta\sim\mathrm{Bernoulli}(\frac Kd)$; "
            r"$\mathbb E\hat g^I_j=\frac1n\sum_ir_i\mathbb E\bigl(2\beta-1\bigr)$, "
            r"over $\beta\sim\mathrm{Bernoulli}(\frac{u_{ij}}2+\frac12)$; "
            r"$\mathbb E\hat g^T_j=\frac1n\sum_ir_i\mathbb E\bigl(\lfloor u_{ij}\rfloor+\beta\bigr)$, "
            r"over $\beta\sim\mathrm{Bernoulli}(\{u_{ij}\})$; "
            r"$\mathbb E\hat g^C_j=\frac1n\sum_ir_i\Big(\frac2n\sum_{k=0}^{n-1}"
            r"\max\Big\{0,\min\Big\{1,\frac n2(1+u_{ij})-k\Big\}\Big\}-1\Big)$; "
            r"$\mathbb E\hat g^E_j=\frac1n\sum_ir_i\Big(\lfloor u_{ij}\rfloor+\frac1n\sum_{k=0}^{n-1}"
            r"\max\{0,\min\{1,n\{u_{ij}\}-k\}\}\Big)$; "
            r"$\mathbb E\hat g^Q_j=\frac1n\sum_i\mathbb E\bigl(\frac{n\beta a_{ij}}q\bigr)$, "
            r"over $\beta\sim\mathrm{Bernoulli}(\frac qn)$; "
            r"$\mathbb E\hat g^S_j=\frac1\tau\sum_{h=1}^\tau\sum_i"
            r"\mathbb E\bigl(\frac{\beta a_{ij}}{nw_i}\bigr)$, "
            r"over $\beta\sim\mathrm{Bernoulli}(w_i)$; "
            r"$\mathbb E\hat g^W_j=\sum_i\mathbb E\bigl(\frac{\beta a_{ij}}{nw_i}\bigr)$, "
            r"over $\beta\sim\mathrm{Bernoulli}(w_i)$"
        ),
        "own-permutation": definition(
            r"$\sum_{o=0}^{N-1}P_{jo}\varepsilon_{jo}=\mathbb E\hat g^C_j-\frac1n\sum_ia_{ij}$; "
            r"$\mathrm{Cov}_{jl}=\sum_{o=0}^{N-1}P_{jo}"
            r"\sum_{p=0}^{N-1}P_{lp}\varepsilon_{jo}\varepsilon_{lp}$ for $l<j$, "
            "since draws of CQ under permutations of their own are independent"
        ),
        "owners": definition(
            r"$V_P=\frac1n\sum_j\sum_ia_{ij}^2-\sum_j\Big(\frac1n\sum_ia_{ij}\Big)^2$, "
            r"$V_Q=\frac{d-t}d\Big(\frac1{ns}\sum_j\sum_ia_{ij}^2+\frac{s-1}{sn(n-1)}\Big(\sum_j\Big("
            r"\sum_ia_{ij}\Big)^2-\sum_j\sum_ia_{ij}^2\Big)-\sum_j\Big(\frac1n\sum_ia_{ij}\Big)^2\Big)"
            r"+\frac td\Big(\frac1{n(s+1)}\sum_j\sum_ia_{ij}^2+\frac{s}{(s+1)n(n-1)}\Big(\sum_j\Big("
            r"\sum_ia_{ij}\Big)^2-\sum_j\sum_ia_{ij}^2\Big)-\sum_j\Big(\frac1n\sum_ia_{ij}\Big)^2\Big)$, "
            "since the owners of a coordinate are a simple random sample of clients"
        ),
        "groups": definition(
            r"$V_G=\frac1{nq}\sum_j\sum_ia_{ij}^2+\frac{q-1}{qn(n-1)}\Big(\sum_j\Big(\sum_ia_{ij}"
            r"\Big)^2-\sum_j\sum_ia_{ij}^2\Big)-\sum_j\Big(\frac1n\sum_ia_{ij}\Big)^2+\sum_j\sum_i"
            r"\frac{b-1}{gq^2}a_{ij}^2$, "
            r"$V_H=\frac1{nq}\sum_j\sum_ia_{ij}^2+\frac{q-1}{qn(n-1)}\Big(\sum_j\Big(\sum_ia_{ij}"
            r"\Big)^2-\sum_j\sum_ia_{ij}^2\Big)-\sum_j\Big(\frac1n\sum_ia_{ij}\Big)^2+gV_b$, $n=gq$, "
            "since groups are simple random samples of clients"
        ),
        "weights": definition(
            r"$w_i>0$, $\sum_iw_i=1$, $M_w=\frac1n\sum_i\frac{\sum_ja_{ij}^2}{nw_i}$, $w_i\le1$"
        ),
        "draws": definition(
            r"$V_S=\sum_j\mathbb E\bigl((\frac1{\tau}\sum_he_h-\frac1n\sum_ia_{ij})^2\bigr)$, over "
            r"uncorrelated $e_h$, $0\le h\le\tau-1$, with mean $\frac1n\sum_ia_{ij}$ and variance "
            r"$(\omega+1)\sum_i\frac{a_{ij}^2}{n^2w_i}-\frac1{n^2}(\sum_ia_{ij})^2$; "
            r"$V_D=V_s+\sum_j\mathbb E\bigl((\frac1{\tau}\sum_he_h-\frac1n\sum_ia_{ij})^2\bigr)$, "
            r"over uncorrelated $e_h$, $0\le h\le\tau-1$, with mean $\frac1n\sum_ia_{ij}$ and "
            r"variance $\sum_i\frac{a_{ij}^2}{n^2w_i}-\frac1{n^2}(\sum_ia_{ij})^2$; "
            r"$V_W=\sum_j(\sum_i\frac{a_{ij}^2}{n^2w_i}-\frac1{n^2}(\sum_ia_{ij})^2)$"
        ),
    },
    relations={
        "rand-k": Relation((V["rand_k"], _RAND_K), ("=",)),
        "iq-bin": Relation((V["iq_bin"], _IQ_BIN), ("=",)),
        "iq-tern": Relation((V["iq_tern"], _IQ_TERN), ("=",)),
        "cq": Relation((V["cq"], of.CQ), ("=",), under=("binary",)),
        "uncorrelated": Relation(
            (of.cov[j, l], 0), ("=",), every=(of.BEFORE, COORDINATES), under=("expected", "own-permutation")
        ),
        "cq-tern": Relation((V["cq_tern"], of.CQ / 4), ("=",), under=("ternary",)),
        "unbiased": Relation(
            (*(mean[j] for mean in of.ghat.values()), MEAN),
            ("=",) * len(of.ghat),
            every=(COORDINATES,),
            under=("expected",),
        ),
        "perm-k": Relation((V["perm_k"], M - m), ("=",)),
        "perm-few": Relation((V["perm_few"], _FEW), ("=",)),
        "perm-iq": Relation((V["perm_iq"], _PERM_IQ), ("=",)),
        "perm-cq": Relation((V["perm_cq"], _PERM_CQ), ("=",)),
        "is-unbiased": Relation((V["is_q"], _IS), ("=",)),
        "is-correlated": Relation((V["is_cq"], _IS_CQ), ("=",)),
        "partition": Relation((V["part"], M_w - m), ("=",)),
    },
    formulas={
        "exact": 4 * of.written_out(lambda x: (1 + x) / 2) / n**2,
        "cq_tern": of.written_out(lambda x: x - floor(x)) / n**2,
        "rand_k": _RAND_K,
        "iq_bin": _IQ_BIN,
        "iq_tern": _IQ_TERN,
        "perm_k": M - m,
        "perm_few": _FEW,
        "perm_iq": _PERM_IQ,
        "perm_cq": _PERM_CQ,
        "is_unbiased": _IS,
        "is_correlated": _IS_CQ,
        "partition": M_w - m,
    },
    internal={
        "exact": r"part (d) with the definitions of $y_{ij}$ and $\varphi_{ijk}$ put in",
        "cq_tern": "part (f) written out",
    },
    worst_cases=cases(r"""
        rational norms, two clients | u = ((3/5, 4/5), (4/5, -3/5)), r = (5, 5), n = 2, d = 2 | 21/2
        four equal inputs $(3,1^7)$: $V=\frac d{n^2}\|a\|^2$ | u = 4 * ((3/4,) + 7 * (1/4,),), r = 4 * (4,),
          n = 4, d = 8 | 8
        two equal flat inputs | u = (9 * (1/3,), 9 * (1/3,)), r = (3, 3), n = 2, d = 9 | 18
        three equal unit vectors | u = 3 * ((1,) + 4 * (0,),), r = (1, 1, 1), n = 3, d = 5 | 4/9
    """),
)


def derive(K_: Any) -> None:
    """Prove the relations; (d) rests on the variance of one dimension."""
    half = Rational(1, 2)
    example = {
        **{n: 2, d: 2, K: 1, q: 1, g: 2, B: 1, s: 2, t: 0, tau: 1, omega: 1, w: (half, half), of.N: 1},
        **{a: ((1, 0),) * 2, r: (1, 1), u: ((1, 0),) * 2, M: 1, m: 1, M_w: 1, V_block: 0, V_slots: 0},
        **{one: (0, 0), of.chance: ((1,),) * 2, of.e: ((0,),) * 2},
    }
    K_.example({**example, y: ((1, half),) * 2, phi: (((1, 1), (1, 0)),) * 2})
    K_.example({**example, y: ((0, 0),) * 2, phi: (((0, 0),) * 2,) * 2})
    K_.index(CLIENTS, COORDINATES)
    K_.know(*(K_.given("sizes", place) for place in range(23)))
    more = K_.cert(lt(0, n - 1), (1, K_.given("sizes", 1)))
    K_.know(more, K_.cert(lt(0, n**2 - n), (n, more)))
    M_is, m_is = K_.given("means"), K_.given("means", 1)
    K_.know(K_.sign(le(0, 1 - K / d)), K_.given("directions", 2), K_.given("weights"), K_.given("weights", 3))
    rand = K_.identity(of.RAND_K, (d / K - 1) / n**2 * Sum(SQUARES, COORDINATES))
    goal = eq(V["rand_k"], _RAND_K)
    K_.conclude("rand-k", K_.cert(goal, (1, K_.given("independent")), (1, rand), (-(d / K - 1) / n, M_is)))
    of.conclude_quantized(K_, M_is, _IQ_BIN, _IQ_TERN)
    coordinates = K_.sum_over(K_.at(K_.given("one-dimension"), j), COORDINATES)
    for place, (name, step) in enumerate((("cq", 4), ("cq-tern", 1))):
        link = CLAIM.relations[name].formulas[0]
        K_.conclude(name, K_.cert(link, (1, K_.given("correlated", place)), (step / n**2, coordinates)))

    def sampled(name: str, value: Any, given: Any, factor: Any, *more: Any) -> None:
        goal = eq(V[name], value)
        relation = name.replace("_", "-")
        K_.conclude(relation, K_.cert(goal, (1, given), (-factor, M_is), (factor, m_is), *more))

    total = Sum(SQUARES, COORDINATES)
    meet = ((B - 1) * total / (q**2 * g * n), K_.given("groups", 2))
    sampled("perm_k", M - m, K_.given("owners"), Integer(1))
    sampled("perm_few", _FEW, K_.given("owners", 1), THETA)
    sampled("perm_iq", _PERM_IQ, K_.given("groups"), theta(q), meet, (-(B - 1) / q, M_is))
    sampled("perm_cq", _PERM_CQ, K_.given("groups", 1), theta(q))
    of.conclude_drawn(K_, m_is, _IS, _IS_CQ)
    of.conclude_unbiased(K_, CLAIM.hypotheses["expected"].formulas)
