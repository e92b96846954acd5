"""Read LaTeX as mathematics: the names of a claim, sides of relations, and hypotheses from their words."""
