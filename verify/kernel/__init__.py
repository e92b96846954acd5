"""The proof kernel: theorems are made by its rules and by nothing else.

Trusted: `node`, `bridge` (sympy to terms), `forms`, `sums`, `means` (normal form), `definedness`,
`signs`, `theorem`,
`rules`, `analysis`, `axioms`. Not trusted: `text`, `instances`, `attack`, `derive`.
"""
