"""Claims on the greedy choice of a size."""
