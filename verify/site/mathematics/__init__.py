"""Mathematics for browsers, made at build time: LaTeX as MathML, formulas of the kernel as LaTeX."""
