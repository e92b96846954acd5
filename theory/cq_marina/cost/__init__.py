"""Claims on the cost of communication."""
