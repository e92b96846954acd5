r"""Where all multiples are bounded: $ks\le c$ for every integer $k\ge0$ gives $s\le0$."""

from typing import Any

from sympy import Symbol, floor, oo

from theory.formula import every, le, lt


def archimedes(K: Any, slope: Any, bound: Any, bounded: Any) -> Any:
    """Return `slope <= 0` from a theorem that concludes `k * slope <= bound` for every k from 0."""
    s, c, k = (Symbol(name, real=True) for name in ("archimedes_s", "archimedes_c", "k"))
    multiples = K.assume(every(le(k * s, c), (k, 0, oo)))
    # Known of fresh names only, so that nothing else rests on it.
    K.know(K.assume(lt(0, s)), K.cert(le(0, c), (1, K.at(multiples, 0))))
    far = floor(c / s) + 1
    K.know(K.cert(lt(0, far * s - c), (s, K.axiom("floor-above", c / s))))
    contradiction = K.cert(le(s, 0), (s / (far * s - c), K.at(multiples, far)))
    lemma = K.cases(s, K.assume(le(s, 0)), contradiction)
    return K.discharge(K.instantiate(lemma, {s: slope, c: bound}), bounded)
