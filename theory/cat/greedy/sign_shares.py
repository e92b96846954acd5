r"""Names and hypotheses of `cat/sq-range`: shares of signs, and what is assumed of runs."""

from sympy import IndexedBase, Sum, Symbol, sqrt, symbols

from theory.claim import Variable
from theory.formula import every, le
from theory.hypotheses import definition, domain, model, parameter

d, T, j, k, i, S, E, alpha, beta, M, A, rho, C_d = symbols("d T j k i S E alpha beta M A rho C_d", real=True)
messages = Symbol("messages", real=True)
s, C, b, m = symbols("s C b m", cls=IndexedBase, real=True)
ALL, KEPT, REST, MESSAGES = (j, 0, d - 1), (j, 0, T - 1), (j, T, d - 1), (k, 0, messages - 1)

ALL_SQUARES = Sum(s[j] ** 2, ALL)
ALPHA = Sum(s[j] ** 2, KEPT) / ALL_SQUARES
BETA = Sum(s[j], KEPT) ** 2 / (T * ALL_SQUARES)
PART = sqrt(j + 1) - sqrt(j)
RHO = Sum(PART**2, ALL)

HYPOTHESES = {
    "sizes": domain(r"$1\le T\le d$ are integers"),
    "signs": domain(r"$s_j\ge0$, $\|g\|^2,\rho_d,A,C(d),\beta(T),\max_T\beta(T)>0$"),
    "sorted": definition(r"$s_j\ge s_k$ for $k\ge j$"),
    "norm": definition(r"$\|g\|^2=\sum_js_j^2$"),
    "sum": definition(r"$S_T=\sum_{j=1}^Ts_j$"),
    "shares": definition(r"$\alpha(T)=\frac{\sum_{j=1}^Ts_j^2}{\|g\|^2}$, $\beta(T)=\frac{S_T^2}{T\|g\|^2}$"),
    "rho": definition(r"$\rho_d=\sum_{j=0}^{d-1}(\sqrt{j+1}-\sqrt j)^2$"),
    "largest": definition(
        r"no $T$ has a share $\beta(T)$ above $\max_T\beta(T)$",
        every(le(Sum(s[j], (j, 0, k)) ** 2, M * (k + 1) * E), (k, 0, d - 1)),
    ),
    "equal": parameter(r"$s_1=s_T$"),
    "one": parameter(r"$s_j=0$ for $j>1$"),
    "flat": parameter(r"$s_1=s_d$"),
    "root": parameter(r"$T=\sqrt d$"),
    "extremal": parameter(r"$s_j=\sqrt j-\sqrt{j-1}$"),
    "attained": parameter(r"$\max_T\beta(T)=\frac1{\rho_d}$"),
    "rule": model(
        r"$K\ge1$ is an integer; $C_k>0$, $\frac1{\rho_d}\le m_k$, $\frac{m_k}{C(d)}\le\frac{b_k}{C_k}$, "
        "since the rule chooses messages by their efficiency",
        reference="cat/greedy-invariant",
    ),
    "total": model(
        r"$\sum_kb_k\le A$",
        reference="cat/cost-bound",
    ),
    "before-last": model(
        r"$\sum_{k=0}^{K-2}b_k\le A$, $b_{K-1}\le1$",
        reference="cat/cost-bound",
    ),
}

VARIABLES = (
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(T, "T", r"\{1,\dots,d\}", "number of signs that are sent"),
    Variable(s, "s", r"\mathbb R_{\ge0}^d", "magnitudes of $g$, the largest first", "(d,)"),
    Variable(S, "S_T", r"\mathbb R_{\ge0}", "sum of the $T$ largest magnitudes"),
    Variable(E, r"\|g\|^2", r"\mathbb R_{>0}", "squared norm"),
    Variable(alpha, r"\alpha(T)", "[0,1]", "share of the $T$ largest entries"),
    Variable(beta, r"\beta(T)", "(0,1]", "share of their signs"),
    Variable(M, r"\max_T\beta(T)", "(0,1]", "the largest share of signs"),
    Variable(A, "A", r"\mathbb R_{>0}", "bound of gradient descent on the iterations before the last one"),
    Variable(rho, r"\rho_d", r"\mathbb R_{>0}", r"$\sum_j(\sqrt j-\sqrt{j-1})^2$"),
    Variable(C_d, "C(d)", r"\mathbb R_{>0}", "cost of a message with all $d$ signs"),
    Variable(C, "C", r"\mathbb R_{>0}^K", "costs of the messages", "(messages,)", first=0),
    Variable(b, "b", r"[0,1]^K", "shares of the messages", "(messages,)", first=0),
    Variable(m, "m", r"[0,1]^K", "largest shares of signs of their gradients", "(messages,)", first=0),
    Variable(messages, "K", r"\mathbb N", "number of messages"),
)
