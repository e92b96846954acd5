"""What LaTeX commands are in MathML: names, operators, functions, alphabets of Unicode."""

from collections.abc import Mapping

GREEK: Mapping[str, str] = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "vartheta": "ϑ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "varrho": "ϱ",
    "sigma": "σ",
    "varsigma": "ς",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "ϕ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
}
UPRIGHT_GREEK: Mapping[str, str] = {
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Upsilon": "Υ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
NAMES: Mapping[str, str] = {
    "ell": "ℓ",
    "infty": "∞",
    "nabla": "∇",
    "partial": "∂",
    "emptyset": "∅",
    "top": "⊤",
    "bot": "⊥",
    "hbar": "ℏ",
    "dots": "…",
    "ldots": "…",
    "cdots": "⋯",
    "forall": "∀",
    "exists": "∃",
    "Re": "ℜ",
    "Im": "ℑ",
}
RELATIONS: Mapping[str, str] = {
    "le": "≤",
    "leq": "≤",
    "leqslant": "≤",
    "ge": "≥",
    "geq": "≥",
    "geqslant": "≥",
    "lt": "<",
    "gt": ">",
    "ne": "≠",
    "neq": "≠",
    "in": "∈",
    "notin": "∉",
    "ni": "∋",
    "subset": "⊂",
    "subseteq": "⊆",
    "supset": "⊃",
    "supseteq": "⊇",
    "sim": "∼",
    "simeq": "≃",
    "approx": "≈",
    "equiv": "≡",
    "cong": "≅",
    "propto": "∝",
    "asymp": "≍",
    "ll": "≪",
    "gg": "≫",
    "lesssim": "≲",
    "gtrsim": "≳",
    "prec": "≺",
    "preceq": "⪯",
    "succ": "≻",
    "succeq": "⪰",
    "mid": "∣",
    "parallel": "∥",
    "perp": "⟂",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "leftrightarrow": "↔",
    "Rightarrow": "⇒",
    "Leftarrow": "⇐",
    "Leftrightarrow": "⇔",
    "implies": "⟹",
    "iff": "⟺",
    "mapsto": "↦",
    "uparrow": "↑",
    "downarrow": "↓",
    "stackrel": "=",
}
OPERATORS: Mapping[str, str] = {
    "pm": "±",
    "mp": "∓",
    "times": "×",
    "div": "÷",
    "cdot": "⋅",
    "circ": "∘",
    "star": "⋆",
    "ast": "∗",
    "oplus": "⊕",
    "ominus": "⊖",
    "otimes": "⊗",
    "cup": "∪",
    "cap": "∩",
    "setminus": "∖",
    "wedge": "∧",
    "vee": "∨",
    "odot": "⊙",
}
LARGE: Mapping[str, str] = {
    "sum": "∑",
    "prod": "∏",
    "coprod": "∐",
    "bigcup": "⋃",
    "bigcap": "⋂",
    "bigoplus": "⨁",
}
LIMITS = frozenset(["max", "min", "sup", "inf", "lim", "limsup", "liminf", "argmin", "argmax", "Pr"])
"""Functions with what they range over below them."""

FUNCTIONS = frozenset(
    [
        "log",
        "ln",
        "exp",
        "sin",
        "cos",
        "tan",
        "arg",
        "det",
        "dim",
        "ker",
        "gcd",
        "deg",
        "sinh",
        "cosh",
        "tanh",
    ]
)
ACCENTS: Mapping[str, str] = {
    "hat": "^",
    "widehat": "^",
    "bar": "¯",
    "overline": "¯",
    "tilde": "~",
    "widetilde": "~",
    "vec": "→",
    "dot": "˙",
    "ddot": "¨",
}
SPACES: Mapping[str, float] = {
    ",": 0.167,
    ":": 0.222,
    ";": 0.278,
    "!": -0.167,
    " ": 0.333,
    "quad": 1.0,
    "qquad": 2.0,
}
OPENING: Mapping[str, str] = {
    "(": "(",
    "[": "[",
    r"\{": "{",
    r"\lbrace": "{",
    r"\langle": "⟨",
    r"\lfloor": "⌊",
    r"\lceil": "⌈",
}
CLOSING: Mapping[str, str] = {
    ")": ")",
    "]": "]",
    r"\}": "}",
    r"\rbrace": "}",
    r"\rangle": "⟩",
    r"\rfloor": "⌋",
    r"\rceil": "⌉",
}
BARS: Mapping[str, str] = {
    "|": "|",
    r"\|": "‖",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\lVert": "‖",
    r"\rVert": "‖",
    r"\vert": "|",
    r"\Vert": "‖",
}

_EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "mathbb": {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"},
    "mathcal": {
        "B": "ℬ",
        "E": "ℰ",
        "F": "ℱ",
        "H": "ℋ",
        "I": "ℐ",
        "L": "ℒ",
        "M": "ℳ",
        "R": "ℛ",
        "e": "ℯ",
        "g": "ℊ",
        "o": "ℴ",
    },
    "mathfrak": {"C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"},
}
# First capital letter, first small letter, first digit of each alphabet; 0 where there is none.
_ALPHABETS: Mapping[str, tuple[int, int, int]] = {
    "mathbb": (0x1D538, 0x1D552, 0x1D7D8),
    "mathbf": (0x1D400, 0x1D41A, 0x1D7CE),
    "mathcal": (0x1D49C, 0x1D4B6, 0),
    "mathfrak": (0x1D504, 0x1D51E, 0),
    "mathsf": (0x1D5A0, 0x1D5BA, 0x1D7E2),
}
ALPHABETS = frozenset(_ALPHABETS)


def letter(alphabet: str, character: str) -> str:
    """Return a letter or digit of one of `ALPHABETS`, the character itself where it has no such form.

    Blackboard E is U+1D53C: browsers do not draw it from an attribute.
    """
    exceptions = _EXCEPTIONS.get(alphabet, {})
    if character in exceptions:
        return exceptions[character]
    capital, small, digit = _ALPHABETS[alphabet]
    if "A" <= character <= "Z":
        return chr(capital + ord(character) - ord("A"))
    if "a" <= character <= "z":
        return chr(small + ord(character) - ord("a"))
    if "0" <= character <= "9" and digit:
        return chr(digit + ord(character) - ord("0"))
    return character
