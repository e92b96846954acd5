"""Symbols that several claims on dithered quantization share.

Vectors are `IndexedBase` with indices from 0; the names are those under which `verify.evaluation` takes
values.
"""

from sympy import IndexedBase, Symbol

from theory.old_form import Variable

d = Symbol("d", integer=True, positive=True)
M = Symbol("M", integer=True, positive=True)
k = Symbol("k", integer=True, positive=True)
P = Symbol("P", integer=True, positive=True)
T = Symbol("T", integer=True, positive=True)
j = Symbol("j", integer=True, nonnegative=True)
kappa = Symbol("kappa", nonnegative=True)
delta = Symbol("delta", positive=True)
D = Symbol("D", positive=True)
alpha = Symbol("alpha", nonnegative=True)
omega = Symbol("omega", nonnegative=True)
eta = Symbol("eta", positive=True)
sigma_sq = Symbol("sigma_sq", nonnegative=True)

g = IndexedBase("g", real=True)

DIMENSION = Variable(d, r"\mathbb N", "number of coordinates")
LEVELS = Variable(M, r"\mathbb N", r"levels: the step is $\delta=\kappa/M$, the indices are $-M,\dots,M$")
RATIO = Variable(k, r"\{2,3,\dots\}", "ratio of the coarse step to the fine one")
WORKERS = Variable(P, r"\mathbb N", "number of workers")
ITERATIONS = Variable(T, r"\mathbb N", "number of iterations")
SCALE = Variable(kappa, r"\mathbb R_{\ge0}", r"transmitted scale $\kappa\ge\|g\|_\infty$ of the block")
STEP = Variable(delta, r"\mathbb R_{>0}", r"step $\delta=\kappa/M$")
FINE_VARIANCE = Variable(D, r"\mathbb R_{>0}", r"$D=\delta^2/12$, the error variance of the fine step")
GAIN = Variable(alpha, r"[0,1]", "gain of the nested quantizer")
OMEGA = Variable(omega, r"\mathbb R_{\ge0}", r"relative variance $\omega=\max_bd_b/(12M^2)$")
STEP_SIZE = Variable(eta, r"\mathbb R_{>0}", "step size of the method")
NOISE = Variable(sigma_sq, r"\mathbb R_{\ge0}", r"$\sigma^2$: variance of the gradient of one worker")

DITHER = (
    r"The dither $u$ is uniform on $[-\frac12,\frac12)$ in units of the step, independent of the gradient "
    r"and over coordinates, workers and iterations, and known to sender and receiver."
)
ROUNDING = r"$Q(v)=\lfloor v+\frac12\rfloor$, half-up; $v\bmod^*k=v-kQ(v/k)\in[-k/2,k/2)$."
