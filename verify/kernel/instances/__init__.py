"""Instances that attack theorems and show that hypotheses can be satisfied. Nothing here is trusted."""
