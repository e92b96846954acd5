"""The signs of Unicode for the commands of LaTeX."""

import unicodedata

RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    r"\le": "≤",
    r"\leq": "≤",
    r"\leqslant": "≤",
    r"\ge": "≥",
    r"\geq": "≥",
    r"\geqslant": "≥",
    r"\ne": "≠",
    r"\neq": "≠",
    r"\lt": "<",
    r"\gt": ">",
    r"\ll": "≪",
    r"\gg": "≫",
    r"\approx": "≈",
    r"\equiv": "≡",
    r"\sim": "∼",
    r"\simeq": "≃",
    r"\propto": "∝",
    r"\in": "∈",
    r"\notin": "∉",
    r"\subset": "⊂",
    r"\subseteq": "⊆",
    r"\to": "→",
    r"\rightarrow": "→",
    r"\mapsto": "↦",
    r"\Rightarrow": "⇒",
    r"\Leftrightarrow": "⇔",
    r"\iff": "⇔",
    r"\succeq": "⪰",
    r"\preceq": "⪯",
    r"\succ": "≻",
    r"\prec": "≺",
    r"\gtrsim": "≳",
    r"\lesssim": "≲",
    r"\mid": "|",
    r"\colon": ":",
    r"\bmod": "mod",
    r"\mod": "mod",
}

BINARIES = {
    "+": "+",
    "-": "−",
    r"\pm": "±",
    r"\mp": "∓",
    r"\cdot": "·",
    r"\times": "×",
    r"\circ": "∘",
    r"\oplus": "⊕",
    r"\otimes": "⊗",
    r"\cup": "∪",
    r"\cap": "∩",
    r"\setminus": "∖",
    r"\wedge": "∧",
    r"\vee": "∨",
    r"\odot": "⊙",
}

OPENERS = {"(": "(", "[": "[", r"\{": "{", r"\lbrace": "{", r"\langle": "⟨", r"\lfloor": "⌊", r"\lceil": "⌈"}
CLOSERS = {")": ")", "]": "]", r"\}": "}", r"\rbrace": "}", r"\rangle": "⟩", r"\rfloor": "⌋", r"\rceil": "⌉"}

WORDS = {
    r"\sum": "∑",
    r"\prod": "∏",
    r"\int": "∫",
    **{
        f"\\{name}": name
        for name in [
            "max",
            "min",
            "sup",
            "inf",
            "lim",
            "log",
            "ln",
            "lg",
            "exp",
            "sin",
            "cos",
            "tan",
            "arg",
            "argmax",
            "argmin",
            "Pr",
            "det",
            "tr",
            "dim",
            "ker",
            "sign",
        ]
    },
}

SPACES = {
    r"\,": " ",
    r"\;": " ",
    r"\:": " ",
    r"\!": "",
    "\\ ": " ",
    "~": " ",
    r"\quad": "  ",
    r"\qquad": "  ",
    "&": " ",
    r"\\": "; ",
}

DROPPED = frozenset(
    [
        r"\left",
        r"\right",
        r"\middle",
        r"\displaystyle",
        r"\textstyle",
        r"\limits",
        r"\nolimits",
        r"\rm",
        r"\bf",
    ]
    + [r"\it", r"\sf", r"\tt", r"\scriptstyle", "}"]
    + [rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")]
)

_GREEK = (
    *("alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi"),
    *("pi", "rho", "sigma", "tau", "upsilon", "chi", "psi", "omega"),
)
_GREEK_CAPITALS = ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega")

SIGNS = {
    **{
        f"\\{name}": unicodedata.lookup(f"GREEK SMALL LETTER {name.replace('lambda', 'lamda').upper()}")
        for name in _GREEK
    },
    **{
        f"\\{name}": unicodedata.lookup(f"GREEK CAPITAL LETTER {name.replace('Lambda', 'Lamda').upper()}")
        for name in _GREEK_CAPITALS
    },
    r"\epsilon": "ϵ",
    r"\varepsilon": "ε",
    r"\phi": "ϕ",
    r"\varphi": "φ",
    r"\vartheta": "ϑ",
    r"\varrho": "ϱ",
    r"\varsigma": "ς",
    r"\ell": "ℓ",
    r"\nabla": "∇",
    r"\partial": "∂",
    r"\infty": "∞",
    r"\star": "⋆",
    r"\ast": "∗",
    r"\top": "⊤",
    r"\bot": "⊥",
    r"\dagger": "†",
    r"\dots": "…",
    r"\ldots": "…",
    r"\cdots": "⋯",
    r"\forall": "∀",
    r"\exists": "∃",
    r"\emptyset": "∅",
    r"\uparrow": "↑",
    r"\downarrow": "↓",
    r"\prime": "′",
    r"\Re": "ℜ",
    r"\Im": "ℑ",
    r"\_": "_",
    r"\%": "%",
    r"\$": "$",
    r"\#": "#",
    r"\&": "&",
}

ACCENTS = {
    r"\hat": ("\u0302", "hat"),
    r"\widehat": ("\u0302", "hat"),
    r"\bar": ("\u0304", "bar"),
    r"\overline": ("\u0304", "bar"),
    r"\tilde": ("\u0303", "tilde"),
    r"\widetilde": ("\u0303", "tilde"),
    r"\dot": ("\u0307", "dot"),
    r"\ddot": ("\u0308", "ddot"),
    r"\vec": ("\u20d7", "vec"),
}


def _alphabet(style: str, others: dict[str, str] | None = None) -> dict[str, str]:
    """Return the letters of a mathematical alphabet; Unicode has some of them elsewhere."""
    found = dict(others or {})
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
        size = "CAPITAL" if letter.isupper() else "SMALL"
        try:
            found.setdefault(letter, unicodedata.lookup(f"MATHEMATICAL {style} {size} {letter.upper()}"))
        except KeyError:
            continue
    return found


_SCRIPT = dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True))

ALPHABETS = {
    r"\mathbb": _alphabet("DOUBLE-STRUCK", dict(zip("CHNPQRZ1", "ℂℍℕℙℚℝℤ𝟙", strict=True))),
    r"\mathbf": _alphabet("BOLD", dict(zip("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", strict=True))),
    r"\boldsymbol": _alphabet("BOLD"),
    r"\mathcal": _alphabet("SCRIPT", _SCRIPT),
    r"\mathscr": _alphabet("SCRIPT", _SCRIPT),
    r"\mathsf": _alphabet("SANS-SERIF"),
    r"\mathfrak": _alphabet("FRAKTUR", dict(zip("CHIRZ", "ℭℌℑℜℨ", strict=True))),
    r"\mathit": {},
}

# A small T is the transpose, never a power T.
SUPERSCRIPTS = dict(
    zip(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRUVWαβγδθ⊤′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵁⱽᵂᵅᵝᵞᵟᶿᵀ′",
        strict=True,
    )
) | {"⋆": "*", "∗": "*", "*": "*", "†": "†"}

SUBSCRIPTS = dict(
    zip(
        "0123456789+−=()aehijklmnoprstuvxβγρφχ⋆",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ⋆",
        strict=True,
    )
)

VULGAR = {
    ("1", "2"): "½",
    ("1", "3"): "⅓",
    ("2", "3"): "⅔",
    ("1", "4"): "¼",
    ("3", "4"): "¾",
    ("1", "5"): "⅕",
    ("2", "5"): "⅖",
    ("3", "5"): "⅗",
    ("4", "5"): "⅘",
    ("1", "6"): "⅙",
    ("5", "6"): "⅚",
    ("1", "8"): "⅛",
    ("3", "8"): "⅜",
    ("5", "8"): "⅝",
    ("7", "8"): "⅞",
}
